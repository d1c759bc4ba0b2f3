package dev.tempest.bench;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws results as SVG, without a screen. */
final class Charts {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;

  /** Told apart also by those who see colors otherwise. */
  private static final List<Integer> COLORS =
      List.of(0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x222222, 0x8a8a8a);

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

  /** A line per system; axes are logarithmic where the numbers span more than a decade. */
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
    chart.getStyler().setXAxisLogarithmic(spansDecades(bySystem, Map.Entry::getKey));
    chart.getStyler().setYAxisLogarithmic(spansDecades(bySystem, Map.Entry::getValue));
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

  /** A line per system, each point with its standard error; both axes from 0. */
  static void withErrors(
      Path file,
      String title,
      String xTitle,
      String unit,
      Map<String, ? extends NavigableMap<Integer, MeanError>> bySystem)
      throws IOException {
    XYChart chart = chart(title, xTitle, unit);
    bySystem.forEach((system, points) ->
        chart.addSeries(
            system,
            List.copyOf(points.keySet()),
            points.values().stream().map(MeanError::mean).toList(),
            points.values().stream().map(MeanError::error).toList()));
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setXAxisMin(0.0);
    chart.getStyler().setYAxisMin(0.0);
    save(file, chart);
  }

  /** How many fall into each bin: bars, by where the bin begins. */
  static void histogram(
      Path file,
      String title,
      String xTitle,
      String yTitle,
      Map<String, ? extends NavigableMap<Integer, Double>> bySystem)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    bySystem.forEach((system, bins) ->
        chart.addSeries(system, List.copyOf(bins.keySet()), List.copyOf(bins.values())));
    chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setAvailableSpaceFill(0.95);
    save(file, chart);
  }

  private static boolean spansDecades(
      Map<String, ? extends NavigableMap<Integer, Double>> bySystem,
      ToDoubleFunction<Map.Entry<Integer, Double>> number) {
    DoubleSummaryStatistics all =
        bySystem.values().stream()
            .flatMap(points -> points.entrySet().stream())
            .mapToDouble(number)
            .summaryStatistics();
    return all.getMin() > 0 && all.getMax() > 10 * all.getMin();
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
    chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
    chart.getStyler().setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    if (chart.getStyler() instanceof AxesChartStyler axes) {
      axes.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
      axes.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    }
    chart.getStyler().setSeriesColors(COLORS.stream().map(Color::new).toArray(Color[]::new));
    try (OutputStream out = Files.newOutputStream(file)) {
      ChartEncoder.saveChart(chart, out, "svg");
    }
  }
}
