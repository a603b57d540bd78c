import LunaJSON

// Models, and what stands beside them in files of the kind that they come from.

extension HomeKeys {
  static let logLevels = ["Verbose", "Debug", "Info", "Warning", "Error", "None"]

  static let model = Shape.object([
    .required("class", .text(.filled), "A registered type; Device is the base."),
    .required("oemModel", .text(.filled), "What trackers name it by."),
    Key("model", .text(.filled), "How its maker calls it."),
    Key("name", .text(.filled), "How people call it."),
    Key("icon", .text(.filled), "Its picture."),
    Key("advertisementMatch", .text(.filter), "A filter that its advertisements pass."),
    Key("ssidRegex", .text(.filled), "A regular expression for the name in advertisements."),
    Key("detailScreen", .text(.filled), "The screen of one tracker."),
    Key("scheduleScreen", .text(.filled), "The screen of its schedules."),
    Key("deviceControl", .text(.filled), "The control in lists."),
    Key("managedProperties", .list(property), "What is kept fresh, stored and offered."),
  ])

  private static let source = Shape.object([
    .required("mqtt", .text(.filled), "The topic."),
    Key("path", .text(.plain), "Where in the JSON of the message, as a JSON pointer."),
  ])

  static let property = Shape.object([
    .required("name", .text(.filled), "Its name: a built-in one, or one's own."),
    Key("control", .text(.filled), "The control that shows it."),
    Key("notify", .bool, "Whether rules may notify of it.", standard: true),
    Key("schedule", .bool, "Whether rules by the clock may set it.", standard: true),
    Key(
      "actions",
      .list(
        .object([
          .required("name", .text(.filled), "Its name."),
          .required(
            "value",
            .either([.bool, .number(-1e300...1e300), .text(.plain)]), "What the property becomes."),
        ])), "What can be done with it."),
    Key(
      "roles", .list(.text(.filled)),
      "What it means: battery, signal, presence, zone, location or alarm; the app shows it so."),
    Key("type", .choice(["bool", "number", "text", "enum", "time", "color"]), "What values are."),
    Key("unit", .text(.filled), "The unit of its values."),
    Key("min", .number(-1e300...1e300), "The least value."),
    Key("max", .number(-1e300...1e300), "The largest value."),
    Key("maxAge", .text(.duration), "After how long a value is stale."),
    Key("minChange", .number(0...1e300), "Smaller changes are none."),
    Key(
      "source", .either([.choice(["manual"]), source]), "Where values come from.",
      standard: "manual"),
    Key(
      "sink", .object([.required("mqtt", .text(.filled), "The topic.")]), "Where set values go."),
  ])

  static let sdkConfig = Shape.object([
    Key(
      "serviceType", .choice(["Dynamic", "Field", "Development", "Staging", "Demo"]),
      "Which backend; Demo makes one up.", standard: "Dynamic"),
    Key(
      "serviceLocation", .choice(["USA", "China", "Europe"]), "Where it is.", standard: "Europe"),
    Key("appId", .text(.plain), "The client id for signing in at auth.oidc."),
    Key("appSecret", .secret(allowsText: true), "Its secret."),
    Key("allowMobileDSS", .bool, "Whether the app is told at once.", standard: true),
    Key("allowOfflineUse", .bool, "Whether all works without the backend.", standard: true),
    Key(
      "consoleLogLevel", .choice(logLevels), "What is logged on standard error.", standard: "Info"),
    Key("fileLogLevel", .choice(logLevels), "What is logged in home.log.", standard: "None"),
    Key("xPlatformId", .text(.plain), "What shared keys begin with.", former: ["xPlatformID"]),
    Key(
      "defaultNetworkTimeoutMs", .integer(100...600_000), "The limit of outgoing requests, ms.",
      standard: 5000),
  ])

  private static let colours: [Key] = [
    Key(
      "windowBackgroundColor", .text(.filled), "A colour, or the name of one.",
      former: ["windowBackground"]),
    Key("fontColor", .text(.filled), "A colour, or the name of one."),
    Key("wantsTitleBar", .bool, "Whether there is a title.", standard: true),
    Key("disableDrawerMenu", .bool, "Whether there is no menu.", standard: false),
    Key("layout", .choice(["list", "cards", "table"]), "How a list is shown."),
  ]

  static let userExperience = Shape.object(
    Members(
      [
        Key("defaultConfig", .object(colours), "What holds for every screen."),
        Key(
          "screens",
          .list(
            .object([
              .required("name", .text(.filled), "What others name it by."),
              .required("class", .text(.filled), "What it shows; web:NAME is one of your own."),
              Key("title", .text(.plain), "Its title."),
              Key("icon", .text(.filled), "Its picture."),
              Key("config", .object(colours), "What holds for this screen."),
              Key("extras", .map(.any), "What a screen of your own is given."),
            ]), atLeast: 1), "The screens of the app."),
        Key(
          "controls",
          .list(
            .object([
              .required("name", .text(.filled), "What others name it by."),
              .required("class", .text(.filled), "What it is; web:NAME is one of your own."),
              Key("extras", .map(.any), "What it is given."),
            ])), "Controls of properties."),
        Key("signInScreen", .text(.filled), "The screen for signing in."),
        Key("homeScreen", .text(.filled), "The screen that is shown first."),
        Key("drawerMenu", .list(.text(.filled)), "The screens in the menu."),
        Key(
          "colors",
          .list(
            .object([
              .required("name", .text(.identifier), "What others name it by."),
              .required("value", .text(.color), "#rgb or #rrggbb."),
            ])), "Names for colours."),
        Key(
          "strings", .map(.map(.text(.plain))), "For each language, what titles and actions say."),
      ], together: ["screens": ["signInScreen", "homeScreen"]]))

  static let notifications = Shape.object([
    Key("channels", .list(channel), "The ways to people."),
    Key("templates", .map(.text(.plain)), "Texts with {{names}}."),
    Key("default", .list(.text(.identifier)), "Who is told where a rule does not say."),
    Key(
      "limits",
      .object([
        Key("group", .text(.duration), "Within this time messages become one.", standard: "30s"),
        Key("perHour", .integer(1...3600), "More than these become a digest.", standard: 30),
      ]), "How much is too much."),
  ])

  static let channel = Shape.object(
    Members(
      [
        .required("id", .text(.identifier), "How rules call it."),
        .required(
          "type", .choice(["email", "ntfy", "webhook", "sms", "push", "command"]), "What it is."),
        Key("host", .text(.filled), "The mail server."),
        Key("port", .integer(1...65535), "Its port."),
        Key(
          "security", .choice(["starttls", "tls", "none"]), "How it is spoken to.",
          standard: "starttls"),
        Key("ca", .text(.filled), "A file with the certificates that the server is trusted by."),
        Key("user", .text(.filled), "The user."),
        Key("password", .secret(), "The password."),
        Key("from", .text(.filled), "Who mails come from."),
        Key("url", .text(.url), "Where to."),
        Key("topic", .text(.filled), "The topic of ntfy."),
        Key("token", .secret(), "What ntfy asks for."),
        Key("headers", .map(.either([.text(.plain), .secret()])), "Headers of requests."),
        Key("secret", .secret(), "What requests are signed with."),
        Key(
          "method", .choice(["GET", "POST", "PUT"]), "The method of requests.", standard: "POST"),
        Key("body", .text(.plain), "What is sent, with {{names}}."),
        Key("name", .text(.filled), "The program in exec."),
        Key("details", .bool, "Whether messages may say coordinates.", standard: false),
      ],
      needs: [
        Members.Need(key: "type", value: "email", needs: ["host", "from"]),
        Members.Need(key: "type", value: "ntfy", needs: ["url", "topic"]),
        Members.Need(key: "type", value: "webhook", needs: ["url"]),
        Members.Need(key: "type", value: "sms", needs: ["url"]),
        Members.Need(key: "type", value: "command", needs: ["name"]),
      ]))
}
