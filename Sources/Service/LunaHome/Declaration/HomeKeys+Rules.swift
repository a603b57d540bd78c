import LunaJSON

// Rules: triggers, conditions and actions.

extension HomeKeys {
  private static let who = Key(
    "who", .text(.filled), "A tracker, a tag, or self; else any tracker.")
  private static let target = Key(
    "who", .text(.filled), "A tracker or a tag; else the tracker of the trigger.")
  private static let inPlace = Key.required("place", .text(.identifier), "The place.")
  private static let comparisons: [Key] = [
    Key("is", .either([.bool, .number(-1e300...1e300), .text(.plain)]), "Equal to this."),
    Key("above", .number(-1e300...1e300), "Above this."),
    Key("below", .number(-1e300...1e300), "Below this."),
  ]

  static let rule = Shape.object([
    .required("id", .text(.identifier), "How others call it."),
    Key("name", .text(.filled), "How people call it."),
    Key("enabled", .bool, "Whether it holds.", standard: true),
    .required("when", .list(trigger, atLeast: 1), "Any of these starts it."),
    Key("if", .named("condition"), "It runs only where this is true."),
    .required("then", .list(action, atLeast: 1), "What is done, one after the other."),
    Key("for", .text(.duration), "How long it must stay so."),
    Key("cooldown", .text(.duration), "How long it rests for a tracker.", standard: "5m"),
    Key("maxPerHour", .integer(1...3600), "More often it does not run.", standard: 60),
    Key(
      "quiet", .choice(["deliver", "delay", "drop"]),
      "Its messages in quiet hours; of rule and contact the stricter holds.", standard: "deliver"),
    Key("level", .choice(["info", "warn", "alarm"]), "How loud it is.", standard: "info"),
  ])

  static let trigger = Shape.one([
    Key("enter", .object([who, inPlace]), "A tracker comes into a place."),
    Key("exit", .object([who, inPlace]), "A tracker leaves a place."),
    Key(
      "dwell",
      .object([who, inPlace, Key("after", .text(.duration), "How long; else as the place.")]),
      "A tracker stays in a place."),
    Key("beaconIn", .object(beacon), "A tracker is heard nearby."),
    Key(
      "beaconOut", .object(beacon),
      "A tracker is no longer heard nearby: not for two minutes, nor for ten of its usual intervals."
    ),
    Key(
      "property",
      .object(
        Members(
          [
            who, .required("property", .text(.filled), "The property."),
          ] + comparisons + [
            Key("changes", .yes, "At every change."),
            Key("hysteresis", .number(0...1e300), "How far back it must go before the next time."),
          ], exactlyOne: [["is", "above", "below", "changes"]])),
      "A property of a tracker becomes something."),
    Key(
      "time",
      .object(
        Members(
          [
            Key("at", .list(.text(.clockTime), atLeast: 1), "At these times."),
            Key("every", .text(.duration), "Again and again after this time."),
            Key("from", .text(.clockTime), "Where `every` begins.", standard: "00:00"),
            Key("to", .text(.clockTime), "Where `every` ends."),
            Key("days", days, "On which days; else on all."),
            Key("zone", .text(.zone), "In which time zone; else that of the box."),
            Key("start", .text(.date), "The first day."),
            Key("end", .text(.date), "The last day."),
          ], exactlyOne: [["at", "every"]])), "The clock says so."),
    Key(
      "watch",
      .object([
        Key(
          "grade", .choice(["possible", "notice", "suspect", "alarm"]), "At least this grade.",
          standard: "alarm")
      ]), "A tracker of somebody else stays with the box."),
    Key(
      "system", .choice(["start", "backendLost", "radioLost", "diskLow", "uplinkChanged"]),
      "Something of the box."),
    Key("message", .text(.filled), "A message of this name by MQTT or the socket."),
  ])

  private static let beacon: [Key] = [
    who,
    Key("minRssi", .integer(-127...20), "Weaker frames do not count, dBm.", standard: -127),
  ]

  static let condition = Shape.one([
    Key("all", .list(.named("condition"), atLeast: 1), "All of these."),
    Key("any", .list(.named("condition"), atLeast: 1), "One of these."),
    Key("not", .named("condition"), "Not this."),
    Key(
      "property",
      .object(
        Members(
          [target, .required("property", .text(.filled), "The property.")] + comparisons,
          exactlyOne: [["is", "above", "below"]])), "What a property is."),
    Key("inside", .object([target, inPlace]), "A tracker is in a place."),
    Key(
      "time",
      .object([
        Key("from", .text(.clockTime), "When it begins.", standard: "00:00"),
        Key("to", .text(.clockTime), "When it ends; on the next day where that is earlier."),
        Key("days", days, "On which days it begins; else on all."),
        Key("zone", .text(.zone), "In which time zone; else that of the box."),
      ]), "The time of day."),
    Key(
      "nobodyHome",
      .object([Key("tag", .text(.identifier), "The trackers; else all.")]),
      "No tracker of a tag is present."),
    Key(
      "since",
      .object(
        Members(
          [
            .required("rule", .text(.identifier), "The rule."),
            Key("more", .text(.duration), "It ran longer ago than this."),
            Key("less", .text(.duration), "It ran not as long ago as this."),
          ], exactlyOne: [["more", "less"]])), "When a rule last ran."),
  ])

  static let action = Shape.one([
    Key(
      "buzz",
      .object([
        target, Key("seconds", .integer(1...60), "For how long.", standard: 12),
      ]), "Sounds a tracker."),
    Key("stopSound", .object([target]), "Silences a tracker."),
    Key("blink", .object([target]), "Lights a tracker."),
    Key("ping", .object([target]), "Asks a tracker for a sign of life."),
    Key(
      "notify",
      .object([
        Key(
          "to", .either([.text(.identifier), .list(.text(.identifier), atLeast: 1)]),
          "Contacts or channels; else the default ones."),
        Key("template", .text(.filled), "A template, or a text with {{names}}."),
        Key("level", .choice(["info", "warn", "alarm"]), "How loud; else as the rule."),
      ]), "Tells somebody."),
    Key(
      "webhook",
      .object([
        .required("url", .text(.url), "Where to."),
        Key("method", .choice(["GET", "POST", "PUT"]), "The method.", standard: "POST"),
        Key("headers", .map(.either([.text(.plain), .secret()])), "Headers."),
        Key("body", .text(.plain), "What is sent, with {{names}}."),
      ]), "Asks a server."),
    Key(
      "exec", .object([.required("name", .text(.filled), "The program in exec.")]),
      "Runs a program."),
    Key(
      "publish",
      .object([
        .required("topic", .text(.filled), "The topic."),
        Key(
          "payload", .text(.plain),
          #"The message, with {{names}}; in JSON, braces that are for others begin with \\u007b{."#,
          standard: ""),
        Key("retain", .bool, "Whether the broker keeps it.", standard: false),
      ]), "Publishes by MQTT."),
    Key(
      "set",
      .object([
        target, .required("property", .text(.filled), "The property."),
        .required(
          "value", .either([.bool, .number(-1e300...1e300), .text(.plain)]), "What it becomes."),
      ]), "Sets a property."),
    Key("finder", .choice(["start", "stop"]), "Starts or stops the gateway."),
    Key("wait", .text(.duration), "Waits, for an hour at most."),
    Key(
      "rule",
      .object([
        Key("id", .text(.identifier), "The rule; else this one."),
        .required("do", .choice(["snooze", "resume"]), "What it is to do."),
        Key("for", .text(.duration), "For how long it sleeps.", standard: "1h"),
      ]), "Puts a rule to sleep, or wakes it."),
  ])
}
