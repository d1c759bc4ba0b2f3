package dev.tempest.config;

/** The forms that builders check, for the schema of the file. */
public final class Forms {
  public static final String CLUSTER = NodeNames.CLUSTER_FORM;
  public static final String NODE = NodeNames.NAME_FORM;
  public static final String LISTEN = ListenAddress.FORM;
  public static final String PLACE = HostPort.FORM;
  public static final String HTTP = HostPort.HOST_FORM + ":[0-9]{1,5}|none";
  public static final String HTTP_URL = HttpUrl.FORM + "|none";
  public static final String NETWORK = Network.FORM;
  public static final String COLLECTIONS = CollectionRule.FORM;
  public static final String SERVICE = ServiceConfig.NAME_FORM;
  public static final String CLASS = ServiceConfig.CLASS_FORM;

  private Forms() {}
}
