import Beacons
import LunaJSON

/// Every key of a home's file, declared once.
enum HomeKeys {
  /// The version of the file that this program writes.
  static let version: Int64 = 1

  /// The whole file.
  static let root = Shape.object([
    Key(
      "version", .either([.integer(1...1), .choice(["1", "1.0"])]), "The form of this file.",
      standard: .integer(version)),
    Key(
      "strict", .bool, "Whether a key that means nothing is an error.", standard: false),
    Key("name", .text(.filled), "How this home is called in the app.", standard: "Home"),
    Key(
      "applicationIdentifier", .text(.filled), "How this program calls itself to others.",
      standard: "luna.home"),
    Key("devices", .list(model), "Models: what trackers of a kind can do and how they look."),
    Key("packages", .any, "Accepted, and not used.", isUsed: false),
    Key("sdkConfig", sdkConfig, "What the app and its connections do by themselves."),
    Key("userExperience", userExperience, "Screens, controls, menu and colours of the app."),
    Key("trackers", .list(tracker), "One's own trackers, and foreign beacons to look at."),
    Key("box", box, "Where this machine is, and with what it listens."),
    Key("places", .list(place), "Circles on the map that trackers enter and leave."),
    Key("rules", .list(rule), "What is to happen when something has happened."),
    Key("schedules", .list(rule), "Rules that begin by the clock."),
    Key("contacts", .list(contact), "Who is told."),
    Key("notifications", notifications, "How people are told."),
    Key("watch", watch, "Whether trackers that stay with the box are looked for."),
    Key("outputs", outputs, "What other programs are told."),
    Key("server", server, "Where the app is."),
    Key("auth", auth, "Where else people sign in."),
    Key("service", service, "Where remote events come from."),
    Key(
      "finder", .object([Key("enabled", .bool, "Whether this box is a gateway.", standard: false)]),
      "Whether this box reports the trackers of others."),
    Key(
      "exec", .map(.list(.text(.filled), atLeast: 1)),
      "The only programs that rules may start: a name, and the words of the command."),
  ])

  /// What stands in itself.
  static let named: [String: Shape] = ["condition": condition]

  static let box = Shape.object([
    Key("location", .text(.filled), "static:LAT,LON[,ALT], gpsd[:HOST:PORT] or geoclue."),
    Key("zone", .text(.zone), "The time zone of the box; else that of the system."),
    Key("radio", .text(.filled), "The radio path.", standard: "auto"),
    Key(
      "adapters", .map(.text(.identifier)), "For each adapter, as hci0, the place where it is."),
  ])

  static let tracker = Shape.object(
    Members(
      [
        Key("device", .text(.filled), "The uuid or the name of an onboarded device."),
        Key("match", .text(.filter), "A filter that a foreign beacon's advertisements pass."),
        Key("id", .text(.identifier), "How rules and programs call it; else the name."),
        Key("name", .text(.filled), "How people call it."),
        Key("model", .text(.filled), "The oemModel of its model."),
        Key("icon", .text(.filled), "Its picture."),
        Key("tags", .list(.text(.identifier)), "Words that rules name several trackers by."),
        Key(
          "keepDays", .integer(1...3660), "For how many days values are kept as they came.",
          standard: 90),
        Key(
          "precision", .choice(["exact", "zone", "off"]),
          "What other programs learn of where it is.",
          standard: "exact"),
      ], exclusive: [["device", "match"]]))

  static let place = Shape.object([
    .required("id", .text(.identifier), "How rules call it."),
    Key("name", .text(.filled), "How people call it."),
    .required("latitude", .number(-90...90), "Degrees."),
    .required("longitude", .number(-180...180), "Degrees."),
    .required("radius", .number(30...1_000_000), "Who is within is inside, m."),
    Key(
      "leaveRadius", .number(30...2_000_000),
      "Who is beyond is outside, m; else the larger of 1.25 radius and radius + 50."),
    Key("enterAfter", .text(.duration), "How long it takes to be inside.", standard: "0s"),
    Key("leaveAfter", .text(.duration), "How long it takes to be outside.", standard: "2m"),
    Key("dwell", .text(.duration), "How long one stays until it counts as staying."),
    Key("color", .text(.color), "Its colour on the map."),
  ])

  static let contact = Shape.object([
    .required("id", .text(.identifier), "How rules call them."),
    Key("name", .text(.filled), "Their name."),
    Key("email", .text(.filled), "Their address."),
    Key("phone", .text(.filled), "Their number."),
    Key("ntfy", .text(.filled), "Their topic on the channel's server."),
    Key("push", .bool, "Whether their browsers are told.", standard: false),
    Key("card", .text(.card), "The contact card they gave, to share trackers with them."),
    Key("quiet", .list(quietHours), "When they are not to be disturbed."),
  ])

  static let quietHours = Shape.object([
    Key("days", days, "On which days; else on all."),
    .required("from", .text(.clockTime), "When it begins."),
    .required("to", .text(.clockTime), "When it ends."),
    Key("zone", .text(.zone), "In which time zone; else that of the box."),
    Key("do", .choice(["delay", "drop"]), "What becomes of a message.", standard: "delay"),
  ])

  static let dayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  static let days = Shape.list(.choice(dayNames + ["weekdays", "weekend"]), atLeast: 1)

  private static let families = BeaconFamily.allCases.filter(\.isTracker).map(\.rawValue)

  static let watch = Shape.object([
    Key("enabled", .bool, "Whether it watches.", standard: true),
    Key(
      "sensitivity", .choice(["low", "medium", "high"]), "How soon it warns.", standard: "medium"),
    Key(
      "discreet", .bool,
      "Whether only the owner can see it at all; then no rule begins by it either.",
      standard: false),
    Key("families", .list(.choice(families)), "Only these families of trackers; else all."),
  ])

  static let service = Shape.object([
    Key("fetchEvery", .text(.duration), "How often remote events are fetched.", standard: "5m"),
    Key(
      "endpoints",
      .map(
        .object([
          .required("url", .text(.url), "The address of the backend."),
          Key("ca", .text(.filled), "A file with the certificates that it is trusted by."),
        ])),
      "Backends by type and location, as Field.Europe."),
  ])

  static let outputs = Shape.object([
    Key(
      "mqtt",
      .object([
        .required("host", .text(.filled), "The broker."),
        Key("port", .integer(1...65535), "Its port.", standard: 1883),
        Key("user", .text(.filled), "The user."),
        Key("password", .secret(), "The password."),
        Key(
          "tls",
          .object([
            Key("ca", .text(.filled), "A file with the certificates that it is trusted by."),
            Key("cert", .text(.filled), "The certificate of this client."),
            Key("key", .text(.filled), "Its key."),
          ]), "Certificates; TLS is used where this is there."),
        Key("base", .text(.filled), "What topics begin with."),
        Key("commands", .bool, "Whether it is told what to do by MQTT.", standard: true),
      ]), "A broker, and Home Assistant behind it.")
  ])

  static let auth = Shape.object([
    Key(
      "oidc",
      .object([
        .required("issuer", .text(.url), "The issuer, as it calls itself."),
        Key("name", .text(.filled), "What people call it; else its host."),
        Key("scope", .text(.filled), "What is asked for; else openid, and profile if it has that."),
        Key("ca", .text(.filled), "A file with the certificates that it is trusted by."),
      ]), "An issuer of OpenID Connect; appId and appSecret of sdkConfig are for it.")
  ])

  static let server = Shape.object([
    Key("listen", .text(.filled), "Host and port.", standard: "127.0.0.1:8470"),
    Key("publicUrl", .text(.url), "The address in links."),
    Key("names", .list(.text(.filled)), "Other names that this server is asked by."),
    Key(
      "tls",
      .object([
        .required("cert", .text(.filled), "A file with the certificate."),
        .required("key", .text(.filled), "A file with its key."),
      ]), "For https."),
    Key("trustProxy", .bool, "Whether a proxy in front says who asks.", standard: false),
    Key(
      "plainHTTPOnLAN", .bool, "Whether it may listen beyond this machine without TLS.",
      standard: false),
    Key("webRoot", .text(.filled), "The folder with screens and controls of one's own."),
    Key("mbtiles", .text(.filled), "A file with map tiles as pictures (MBTiles)."),
    Key(
      "tileURL", .text(.url),
      "A server of map tiles that this machine asks, with {z}, {x} and {y}; mbtiles goes before it."
    ),
    Key("floorPlans", .list(floorPlan), "Pictures of floors, and where they lie."),
  ])

  private static let floorPlan = Shape.object([
    .required("file", .text(.filled), "A picture: PNG, JPEG, WebP or SVG; north is above."),
    Key("name", .text(.filled), "How people call the floor."),
    .required("south", .number(-90...90), "The latitude of its lower edge."),
    .required("west", .number(-180...180), "The longitude of its left edge."),
    .required("north", .number(-90...90), "The latitude of its upper edge."),
    .required("east", .number(-180...180), "The longitude of its right edge."),
  ])
}
