package dev.tempest.runtime.service;

import static dev.tempest.runtime.service.Sources.ANY;
import static dev.tempest.runtime.service.Sources.NEW;

/**
 * The methods of the JDK that depend on the machine and on how the process was started: zone,
 * locale, settings, files and network.
 */
final class MachineSources {
  private static final String ZONE = "name the zone, such as ZoneOffset.UTC";
  private static final String SET_ZONE =
      "name the zone, setTimeZone(TimeZone.getTimeZone(\"UTC\"))";
  private static final String LOCALE = "name the locale, such as Locale.ROOT";
  private static final String BOTH =
      "it takes locale and zone of the machine: take DateTimeFormatter.ofPattern(pattern,"
          + " Locale.ROOT)";
  private static final String ITS_TIME =
      "it tells the time in the zone of the machine: take its toInstant()";
  private static final String OWN =
      "each process has another: give it to the update as an argument";
  private static final String SET =
      "another machine may be set otherwise: give it to the update as an argument";
  private static final String CHARSET = "name the charset, such as StandardCharsets.UTF_8";
  private static final String LINE = "write \\n";
  private static final String FILE =
      "each machine has files of its own: give what is in them to the update as an argument";
  private static final String NETWORK =
      "each machine may hear another answer: give it to the update as an argument";

  /** What tells a time is refused; a text of it, or what can be corrected later, is not. */
  static final Sources ZONES =
      new Sources()
          .refuses("java/time/ZoneId", ZONE, "systemDefault")
          .refuses("java/util/TimeZone", ZONE, "getDefault")
          .refusesUnless("setTimeZone", "java/util/GregorianCalendar", SET_ZONE, "<init>(III)")
          .refusesUnless("setTimeZone", "java/util/GregorianCalendar", SET_ZONE, "<init>(IIIII)")
          .refusesUnless("setTimeZone", "java/util/GregorianCalendar", SET_ZONE, "<init>(IIIIII)")
          .refuses("java/util/Date", ZONE, "<init>(III)", "<init>(IIIII)", "<init>(IIIIII)")
          .refuses("java/util/Date", ZONE, "getYear", "getMonth", "getDate", "getDay", "getHours")
          .refuses("java/util/Date", ZONE, "getMinutes", "getTimezoneOffset")
          .refuses("java/util/Date", ZONE, "setYear", "setMonth", "setDate", "setHours")
          .warns("java/util/Date", ZONE, "<init>(Ljava/lang/String;)", "parse")
          .warns("java/util/Date", ITS_TIME, "toString", "toLocaleString")
          .warnsUnless("setTimeZone", "java/text/SimpleDateFormat", SET_ZONE, NEW)
          .warnsUnless("setTimeZone", "java/text/DateFormat", SET_ZONE, "getInstance")
          .warnsUnless("setTimeZone", "java/text/DateFormat", SET_ZONE, "getDateInstance")
          .warnsUnless("setTimeZone", "java/text/DateFormat", SET_ZONE, "getTimeInstance")
          .warnsUnless("setTimeZone", "java/text/DateFormat", SET_ZONE, "getDateTimeInstance")
          .warns("java/text/SimpleDateFormat", BOTH, "<init>()", "<init>(Ljava/lang/String;)")
          .warns("java/text/DateFormat", BOTH, "getInstance()", "getDateInstance()")
          .warns("java/text/DateFormat", BOTH, "getDateInstance(I)", "getTimeInstance()")
          .warns("java/text/DateFormat", BOTH, "getTimeInstance(I)", "getDateTimeInstance()")
          .warns("java/text/DateFormat", BOTH, "getDateTimeInstance(II)");

  private static final String TIME_FORMATS = "java/time/format/DateTimeFormatter";

  /** Texts in the language of the machine. */
  static final Sources LOCALES =
      new Sources()
          .refuses("java/util/Locale", LOCALE, "getDefault")
          .warns("java/lang/String", LOCALE, "toLowerCase()", "toUpperCase()", "formatted")
          .warns("java/lang/String", LOCALE, "format(Ljava/lang/String;[Ljava/lang/Object;)")
          .warns("java/util/Formatter", LOCALE, NEW)
          .allows("java/util/Formatter", "<init>(Ljava/util/Locale;)")
          .allows("java/util/Formatter", "<init>(Ljava/lang/Appendable;Ljava/util/Locale;)")
          .warnsUnless("useLocale", "java/util/Scanner", LOCALE, NEW)
          .warns("java/text/NumberFormat", LOCALE, "getInstance()", "getNumberInstance()")
          .warns("java/text/NumberFormat", LOCALE, "getIntegerInstance()", "getPercentInstance()")
          .warns("java/text/NumberFormat", LOCALE, "getCurrencyInstance()")
          .warns("java/text/NumberFormat", LOCALE, "getCompactNumberInstance()")
          .warns("java/text/DecimalFormat", LOCALE, "<init>()", "<init>(Ljava/lang/String;)")
          .warns("java/text/DecimalFormatSymbols", LOCALE, "<init>()", "getInstance()")
          .warns("java/text/DateFormatSymbols", LOCALE, "<init>()", "getInstance()")
          .warns("java/text/MessageFormat", LOCALE, "<init>(Ljava/lang/String;)")
          .warns("java/text/MessageFormat", LOCALE, "format(Ljava/lang/String;[Ljava/lang/Object;)")
          .warns("java/text/Collator", LOCALE, "getInstance()")
          .warns("java/text/BreakIterator", LOCALE, "getWordInstance()", "getLineInstance()")
          .warns("java/text/BreakIterator", LOCALE, "getCharacterInstance()")
          .warns("java/text/BreakIterator", LOCALE, "getSentenceInstance()")
          .warnsUnless("withLocale", TIME_FORMATS, LOCALE, "ofLocalizedDate", "ofLocalizedTime")
          .warnsUnless("withLocale", TIME_FORMATS, LOCALE, "ofLocalizedDateTime")
          .warnsUnless("withLocale", TIME_FORMATS, LOCALE, "ofPattern(Ljava/lang/String;)")
          .warnsUnless("withLocale", TIME_FORMATS + "Builder", LOCALE, "toFormatter()")
          .warns("java/util/ResourceBundle", LOCALE, "getBundle(Ljava/lang/String;)")
          .warns("java/util/Locale", LOCALE, "getDisplayName()", "getDisplayCountry()")
          .warns("java/util/Locale", LOCALE, "getDisplayLanguage()")
          .warns("java/util/Currency", LOCALE, "getSymbol()", "getDisplayName()")
          .warns("java/util/TimeZone", LOCALE, "getDisplayName()");

  /** What names the process or its machine is refused; settings may be the same everywhere. */
  static final Sources SETTINGS =
      new Sources()
          .refuses("java/lang/ProcessHandle", OWN, "current", "pid", "allProcesses")
          .refuses("java/lang/Runtime", OWN, "freeMemory", "totalMemory")
          .refuses("java/net/InetAddress", OWN, "getLocalHost")
          .warns("java/lang/Runtime", SET, "availableProcessors", "maxMemory")
          .warns("java/lang/System", SET, "getProperty", "getProperties", "getenv")
          .warns("java/lang/System", LINE, "lineSeparator")
          .warns("java/lang/Boolean", SET, "getBoolean")
          .warns("java/lang/Integer", SET, "getInteger")
          .warns("java/lang/Long", SET, "getLong")
          .warns("java/lang/management/ManagementFactory", OWN, ANY)
          .warns("java/nio/charset/Charset", CHARSET, "defaultCharset")
          .warns("java/lang/String", CHARSET, "getBytes()", "<init>([B)", "<init>([BII)")
          .warns("java/io/ByteArrayOutputStream", CHARSET, "toString()")
          .warns("java/io/InputStreamReader", CHARSET, "<init>(Ljava/io/InputStream;)")
          .warns("java/io/OutputStreamWriter", CHARSET, "<init>(Ljava/io/OutputStream;)");

  /** What lies on the machine, and what the network tells it. */
  static final Sources FILES =
      new Sources()
          .warns("java/nio/file/Files", FILE, ANY)
          .warns("java/nio/channels/FileChannel", FILE, "open")
          .warns("java/io/FileInputStream", FILE, NEW)
          .warns("java/io/FileOutputStream", FILE, NEW)
          .warns("java/io/FileReader", FILE, NEW)
          .warns("java/io/FileWriter", FILE, NEW)
          .warns("java/io/RandomAccessFile", FILE, NEW)
          .warns("java/io/File", FILE, "exists", "isFile", "isDirectory", "length", "list")
          .warns("java/io/File", FILE, "listFiles", "lastModified", "createTempFile")
          .warns("java/io/File", FILE, "getAbsolutePath", "getAbsoluteFile", "getCanonicalPath")
          .warns("java/net/InetAddress", NETWORK, "getByName", "getAllByName", "getHostName")
          .warns("java/net/InetAddress", NETWORK, "getCanonicalHostName", "isReachable")
          .warns("java/net/NetworkInterface", NETWORK, ANY)
          .warns("java/net/Socket", NETWORK, NEW)
          .warns("java/net/DatagramSocket", NETWORK, NEW)
          .warns("java/net/URL", NETWORK, "openStream", "openConnection")
          .warns("java/net/http/HttpClient", NETWORK, "send", "sendAsync")
          .warns("java/lang/ProcessBuilder", NETWORK, "start")
          .warns("java/lang/Runtime", NETWORK, "exec");

  private MachineSources() {}
}
