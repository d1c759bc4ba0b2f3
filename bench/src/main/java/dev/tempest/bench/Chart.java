package dev.tempest.bench;

import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A picture of what was measured, a line or a row of bars for each system. Not thread-safe. */
public final class Chart {
  /** What it looks like. */
  public enum Kind {
    /** Lines; an axis is logarithmic where the numbers span more than a decade. */
    LINES,

    /** Lines, maybe with the errors of their points; the vertical axis from 0. */
    LINES_FROM_ZERO,

    /** Bars in groups; the vertical axis from 0. */
    BARS,

    /** Bars in groups; the vertical axis logarithmic. */
    LOGARITHMIC_BARS
  }

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

  /** One system: where its points or bars are, and the errors of these, if they are known. */
  private record Series(String name, List<?> x, List<Double> y, List<Double> errors) {}

  private final String file;
  private final Kind kind;
  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final List<Series> series = new ArrayList<>();
  private boolean nines;

  /** A picture without a system yet. */
  public Chart(Kind kind, String name, String title, String xTitle, String yTitle) {
    this.file = name + ".svg";
    this.kind = kind;
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
  }

  /** The same with a system: its numbers by where they are, numbers or names of bars. */
  public Chart add(String system, Map<?, Double> points) {
    series.add(
        new Series(system, List.copyOf(points.keySet()), List.copyOf(points.values()), List.of()));
    return this;
  }

  /** The same with a line for each value of a field: the medians of a number at each of another. */
  public Chart addEach(String system, Points points, String x, String y) {
    points.by(system).forEach(each -> add(each.text(system), each.curve(x, y)));
    return this;
  }

  /** The same with a system whose points have errors. */
  public Chart add(String system, Map<?, Double> points, Collection<Double> errors) {
    series.add(
        new Series(
            system,
            List.copyOf(points.keySet()),
            List.copyOf(points.values()),
            List.copyOf(errors)));
    return this;
  }

  /** The same with what a system takes for each percentage of its requests, microseconds. */
  public Chart addPercentiles(String system, Histogram nanos) {
    nines = true;
    series.add(
        new Series(
            system,
            PERCENTILES.stream().map(p -> -Math.log10(1 - p / 100)).toList(),
            PERCENTILES.stream().map(p -> nanos.getValueAtPercentile(p) / 1e3).toList(),
            List.of()));
    return this;
  }

  String file() {
    return file;
  }

  String toSvg() throws IOException {
    org.knowm.xchart.internal.chartpart.Chart<?, ?> chart =
        switch (kind) {
          case LINES, LINES_FROM_ZERO -> lines();
          case BARS, LOGARITHMIC_BARS -> bars();
        };
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
    chart.getStyler().setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    if (chart.getStyler() instanceof AxesChartStyler axes) {
      axes.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
      axes.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    }
    chart.getStyler().setSeriesColors(COLORS.stream().map(Color::new).toArray(Color[]::new));
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    ChartEncoder.saveChart(chart, svg, "svg");
    return svg.toString(StandardCharsets.UTF_8);
  }

  private XYChart lines() {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setMarkerSize(6);
    for (Series each : series) {
      List<Double> x = numbers(each.x);
      if (each.errors.isEmpty()) {
        chart.addSeries(each.name, x, each.y);
      } else {
        chart.addSeries(each.name, x, each.y, each.errors);
      }
    }
    if (nines) {
      // Nines in even steps: 90, 99, 99.9.
      chart.getStyler().setXAxisTickLabelsFormattingFunction(Chart::nines);
      chart.getStyler().setYAxisLogarithmic(true);
    } else if (kind == Kind.LINES_FROM_ZERO) {
      chart.getStyler().setXAxisMin(0.0);
      chart.getStyler().setYAxisMin(0.0);
    } else {
      chart
          .getStyler()
          .setXAxisLogarithmic(spansDecades(series.stream().map(each -> numbers(each.x)).toList()));
      chart
          .getStyler()
          .setYAxisLogarithmic(spansDecades(series.stream().map(each -> each.y).toList()));
    }
    chart
        .getStyler()
        .setLegendPosition(
            series.size() > COLORS.size() / 2 ? LegendPosition.OutsideE : LegendPosition.InsideNW);
    return chart;
  }

  private static List<Double> numbers(List<?> x) {
    return x.stream().map(each -> ((Number) each).doubleValue()).toList();
  }

  private static String nines(double exponent) {
    return String.format(Locale.ROOT, "%.4g %%", 100 * (1 - Math.pow(10, -exponent)));
  }

  private static boolean spansDecades(List<List<Double>> lines) {
    DoubleSummaryStatistics all =
        lines.stream().flatMap(List::stream).mapToDouble(each -> each).summaryStatistics();
    return all.getMin() > 0 && all.getMax() > 10 * all.getMin();
  }

  private CategoryChart bars() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    for (Series each : series) {
      chart.addSeries(each.name, each.x, each.y);
    }
    chart.getStyler().setAvailableSpaceFill(0.95);
    chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
    if (kind == Kind.LOGARITHMIC_BARS) {
      chart.getStyler().setYAxisLogarithmic(true);
      chart.getStyler().setYAxisMin(1.0); // By itself it would be 0, which has no logarithm.
      chart.getStyler().setXAxisLabelRotation(30);
      chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    }
    return chart;
  }
}
