package dev.tempest.bench;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import org.HdrHistogram.Histogram;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws results as SVG, without a screen. */
final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;
  private static final List<Double> PERCENTILES =
      List.of(1.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99);

  static {
    System.setProperty("java.awt.headless", "true");
  }

  private Charts() {}

  /** Interaction time, microseconds, at each percentage of requests. */
  static void percentiles(Path file, String title, Map<String, Histogram> nanosBySystem)
      throws IOException {
    XYChart chart = chart(title, "percentage of requests at most as slow", "microseconds");
    // Nines in even steps: 90, 99, 99.9.
    chart.getStyler().setXAxisTickLabelsFormattingFunction(Charts::nines);
    nanosBySystem.forEach((system, nanos) ->
        chart.addSeries(
            system,
            PERCENTILES.stream().map(p -> -Math.log10(1 - p / 100)).toList(),
            PERCENTILES.stream().map(p -> nanos.getValueAtPercentile(p) / 1e3).toList()));
    chart.getStyler().setYAxisLogarithmic(true);
    save(file, chart);
  }

  private static String nines(double exponent) {
    return String.format(Locale.ROOT, "%.4g %%", 100 * (1 - Math.pow(10, -exponent)));
  }

  /** A line per system; both axes logarithmic. */
  static void lines(
      Path file,
      String title,
      String xTitle,
      String unit,
      Map<String, ? extends NavigableMap<Integer, Double>> bySystem)
      throws IOException {
    XYChart chart = chart(title, xTitle, unit);
    bySystem.forEach((system, points) ->
        chart.addSeries(system, List.copyOf(points.keySet()), List.copyOf(points.values())));
    chart.getStyler().setXAxisLogarithmic(true);
    chart.getStyler().setYAxisLogarithmic(true);
    save(file, chart);
  }

  /** A line per system; both axes linear, from 0. */
  static void overTime(
      Path file,
      String title,
      String xTitle,
      String unit,
      Map<String, ? extends NavigableMap<Double, Double>> bySystem)
      throws IOException {
    XYChart chart = chart(title, xTitle, unit);
    bySystem.forEach((system, points) ->
        chart.addSeries(system, List.copyOf(points.keySet()), List.copyOf(points.values())));
    chart.getStyler().setYAxisMin(0.0);
    save(file, chart);
  }

  /** A group of bars per category, one bar per system; logarithmic. */
  static void bars(Path file, String title, String unit, Map<String, Map<String, Double>> bySystem)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(unit)
            .build();
    bySystem.forEach((system, bars) ->
        chart.addSeries(system, List.copyOf(bars.keySet()), List.copyOf(bars.values())));
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setYAxisMin(1.0); // By itself it would be 0, which has no logarithm.
    chart.getStyler().setXAxisLabelRotation(30);
    save(file, chart);
  }

  private static XYChart chart(String title, String xTitle, String yTitle) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setMarkerSize(6);
    return chart;
  }

  private static void save(Path file, Chart<?, ?> chart) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      ChartEncoder.saveChart(chart, out, "svg");
    }
  }
}
