package dev.tempest.bench;

import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.AxesChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A picture of what was measured, a line or a row of bars for each system. Not thread-safe. */
final class Chart {
  enum Kind {
    /** Lines; an axis is logarithmic where the numbers span more than a decade. */
    LINES,

    /** Lines, maybe with the errors of their points; both axes from 0. */
    LINES_FROM_ZERO,

    /** Lines over the percentage of requests, nines in even steps: 90, 99, 99.9. */
    PERCENTILES,

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

  private final String name;
  private final Kind kind;
  private final AxesChart<?, ?> chart;
  private final DoubleSummaryStatistics allX = new DoubleSummaryStatistics();
  private final DoubleSummaryStatistics allY = new DoubleSummaryStatistics();

  /** A picture without a system yet. */
  Chart(Kind kind, String name, String title, String xTitle, String yTitle) {
    this.name = name;
    this.kind = kind;
    this.chart =
        switch (kind) {
          case LINES, LINES_FROM_ZERO, PERCENTILES -> new XYChart(WIDTH, HEIGHT);
          case BARS, LOGARITHMIC_BARS -> new CategoryChart(WIDTH, HEIGHT);
        };
    chart.setTitle(title);
    chart.setXAxisTitle(xTitle);
    chart.setYAxisTitle(yTitle);
  }

  /** The same with a system: its numbers by where they are, numbers or names of bars. */
  Chart add(String system, Map<?, Double> points) {
    return add(system, points, null);
  }

  /**
   * The same with a curve for each combination of values that the labels have.
   *
   * @param format makes a name of the labels' values
   * @param labels fields, with commas between
   */
  Chart add(String format, Points points, String labels, String x, String y) {
    points.by(labels).forEach(each -> add(each.name(format, labels), each.curve(x, y)));
    return this;
  }

  /** The same with curves of the means of some requests and their errors. */
  Chart addMeans(String format, Points points, String labels, String x, String requests) {
    for (Points each : points.by(labels)) {
      Map<?, Double> means = each.curve(x, requests + "MeanMillis");
      Collection<Double> errors = each.curve(x, requests + "ErrorMillis").values();
      add(each.name(format, labels), means, errors);
    }
    return this;
  }

  /** The same with what a system takes for each percentage of its requests, microseconds. */
  Chart add(String system, Histogram nanos) {
    if (nanos.getTotalCount() == 0) {
      return this; // None was answered, as on a machine that is busy; the table says so.
    }
    Map<Double, Double> micros = new TreeMap<>();
    PERCENTILES.forEach(
        each -> micros.put(-Math.log10(1 - each / 100), nanos.getValueAtPercentile(each) / 1e3));
    return add(system, micros);
  }

  private Chart add(String system, Map<?, Double> points, @Nullable Collection<Double> errors) {
    List<?> x = List.copyOf(points.keySet());
    List<Double> y = List.copyOf(points.values());
    if (chart instanceof XYChart lines) {
      lines.addSeries(system, x, y, errors == null ? null : List.copyOf(errors));
      x.forEach(each -> allX.accept(((Number) each).doubleValue()));
      y.forEach(allY::accept);
    } else if (chart instanceof CategoryChart bars) {
      bars.addSeries(system, x, y);
    }
    return this;
  }

  String name() {
    return name;
  }

  byte[] toSvg() throws IOException {
    AxesChartStyler axes = chart.getStyler();
    axes.setChartBackgroundColor(Color.WHITE);
    axes.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 17));
    axes.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    axes.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
    axes.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
    axes.setMarkerSize(6);
    axes.setSeriesColors(COLORS.stream().map(Color::new).toArray(Color[]::new));
    boolean crowded = chart.getSeriesCollection().size() > COLORS.size() / 2;
    axes.setLegendPosition(crowded ? LegendPosition.OutsideE : LegendPosition.InsideNW);
    style(axes);
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    ChartEncoder.saveChart(chart, svg, "svg");
    return svg.toByteArray();
  }

  private void style(AxesChartStyler axes) {
    switch (kind) {
      case LINES -> {
        axes.setXAxisLogarithmic(spansDecades(allX));
        axes.setYAxisLogarithmic(spansDecades(allY));
      }
      case LINES_FROM_ZERO -> {
        axes.setXAxisMin(0.0);
        axes.setYAxisMin(0.0);
      }
      case PERCENTILES -> {
        axes.setXAxisTickLabelsFormattingFunction(Chart::nines);
        axes.setYAxisLogarithmic(true);
      }
      case BARS -> axes.setLegendPosition(LegendPosition.InsideNE);
      case LOGARITHMIC_BARS -> {
        axes.setYAxisLogarithmic(true);
        axes.setYAxisMin(1.0); // By itself it would be 0, which has no logarithm.
        axes.setXAxisLabelRotation(30);
      }
    }
  }

  private static String nines(double exponent) {
    return String.format(Locale.ROOT, "%.4g %%", 100 * (1 - Math.pow(10, -exponent)));
  }

  private static boolean spansDecades(DoubleSummaryStatistics all) {
    return all.getMin() > 0 && all.getMax() > 10 * all.getMin();
  }
}
