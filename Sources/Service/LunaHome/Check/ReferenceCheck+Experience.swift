import SafeText

// Models, screens, controls, colours and messages.

extension ReferenceCheck {
  private var screens: [String] {
    texts(root["userExperience"]?.list("screens") ?? [], "name")
  }

  private var controls: [String] {
    texts(root["userExperience"]?.list("controls") ?? [], "name")
  }

  mutating func checkModels() {
    for model in root.list("devices") {
      if let type = model["class"], let name = type.text, !surroundings.classes.contains(name) {
        tell(
          .warning, .unknownClass, type,
          "\(JSONEscape.quoted(name)) is not registered; Device is used",
          hint: Suggestion.nearest(to: name, among: surroundings.classes.sorted())
            .map { "did you mean \($0)?" })
      }
      checkIcon(model["icon"])
      checkFilter(model["advertisementMatch"])
      checkExpression(model["ssidRegex"])
      checkScreen(model["detailScreen"])
      checkScreen(model["scheduleScreen"])
      checkControl(model["deviceControl"])
      for property in model.list("managedProperties") { checkProperty(property) }
    }
  }

  private mutating func checkProperty(_ property: NodeCursor) {
    checkControl(property["control"])
    if let least = property["min"]?.node.number, let most = property["max"],
      let number = most.node.number, number < least
    {
      tell(.range, most, "max is less than min", hint: "swap them")
    }
    checkBroker(property["source"]?["mqtt"])
    checkBroker(property["sink"]?["mqtt"])
    if let path = property["source"]?["path"], let text = path.text, !text.isEmpty,
      text.utf8.first != UInt8(ascii: "/")
    {
      tell(
        .range, path, "\(JSONEscape.quoted(text)) is no JSON pointer",
        hint: "write \(JSONEscape.quoted("/" + text))")
    }
  }

  /// One topic, not what stands for several: nothing is published there, and no value is taken from there.
  private mutating func checkTopic(_ place: NodeCursor?) {
    guard let place, let text = place.text,
      text.unicodeScalars.contains(where: { "+#\0".unicodeScalars.contains($0) })
    else { return }
    tell(
      .range, place, "\(JSONEscape.quoted(text)) is no topic of its own: + and # stand for several",
      hint: "write the topic itself")
  }

  /// What goes by MQTT needs a topic and a broker.
  mutating func checkBroker(_ place: NodeCursor?) {
    checkTopic(place)
    guard let place, root["outputs"]?["mqtt"] == nil else { return }
    tell(
      .warning, .unknownReference, place, "there is no broker for this",
      hint: "say in outputs.mqtt where it is")
  }

  private mutating func checkExpression(_ place: NodeCursor?) {
    guard let place, let text = place.text else { return }
    let filter = NodeCursor(
      node: SourceNode(
        value: .string(ModelEntry.filter(ofName: text)), range: place.node.range),
      path: place.path)
    checkFilter(filter)
  }

  private mutating func checkScreen(_ place: NodeCursor?) {
    guard let place, let name = place.text, !screens.contains(name), !BuiltIn.screens.contains(name)
    else { return }
    if BuiltIn.isAssumed(name) {
      tell(
        .warning, .unknownReference, place,
        "the screen \(JSONEscape.quoted(name)) is not declared; the generic one is shown")
    } else {
      tellUnknown(place, "screen", among: screens + BuiltIn.screens.sorted())
    }
  }

  private mutating func checkControl(_ place: NodeCursor?) {
    guard let place, let name = place.text, !controls.contains(name),
      !BuiltIn.controls.contains(name), !BuiltIn.isOwn(name)
    else { return }
    if BuiltIn.isAssumed(name) {
      tell(
        .warning, .unknownReference, place,
        "the control \(JSONEscape.quoted(name)) is not declared; the generic one is shown")
    } else {
      tellUnknown(place, "control", among: controls + BuiltIn.controls.sorted())
    }
  }

  mutating func checkExperience() {
    guard let experience = root["userExperience"] else { return }
    for screen in experience.list("screens") {
      checkClass(screen["class"], "screen", BuiltIn.screenClasses)
      checkIcon(screen["icon"])
      checkColors(screen["config"])
    }
    for control in experience.list("controls") {
      checkClass(control["class"], "control", BuiltIn.controls.sorted())
    }
    checkColors(experience["defaultConfig"])
    checkScreen(experience["signInScreen"])
    checkScreen(experience["homeScreen"])
    for entry in experience.list("drawerMenu") { checkScreen(entry) }
  }

  private mutating func checkClass(_ place: NodeCursor?, _ what: String, _ known: [String]) {
    guard let place, let name = place.text, !known.contains(name) else { return }
    if BuiltIn.isOwn(name) { return checkOwn(place, name) }
    tell(
      .warning, .unknownClass, place,
      "there is no class \(JSONEscape.quoted(name)) of a \(what); "
        + (what == "screen" ? "the app says so in its place" : "the generic one is shown"),
      hint: Suggestion.nearest(to: name, among: known).map { "did you mean \($0)?" })
  }

  /// A screen or control of one's own lies in a folder.
  private mutating func checkOwn(_ place: NodeCursor, _ name: String) {
    guard root["server"]?["webRoot"] == nil else { return }
    tell(
      .warning, .unknownClass, place, "there is no folder for \(JSONEscape.quoted(name))",
      hint: "say in server.webRoot where \(EscapedText.line(String(name.dropFirst(4)))).js lies")
  }

  private mutating func checkColors(_ config: NodeCursor?) {
    guard let config else { return }
    let background = color(config["windowBackgroundColor"] ?? config["windowBackground"])
    let font = color(config["fontColor"])
    guard let background, let font, let place = config["fontColor"],
      background.contrast(to: font) < 4.5
    else { return }
    let tenths = Int(background.contrast(to: font) * 10)
    tell(
      .warning, .range, place,
      "its contrast to the background is \(tenths / 10).\(tenths % 10):1, which is under 4.5:1; "
        + "the text is shown in a colour that can be read")
  }

  private mutating func color(_ place: NodeCursor?) -> HomeColor? {
    guard let place, let name = place.text else { return nil }
    if let color = HomeColor(name) { return color }
    let named = root["userExperience"]?.list("colors") ?? []
    if let found = named.first(where: { $0["name"]?.text == name }) {
      return found["value"]?.text.flatMap { HomeColor($0) }
    }
    tellUnknown(place, "colour", among: texts(named, "name"))
    return nil
  }

  /// Contacts and channels: who can be told.
  var recipients: [String] {
    texts(root.list("contacts"), "id")
      + texts(root["notifications"]?.list("channels") ?? [], "id")
  }

  mutating func checkRecipient(_ place: NodeCursor) {
    guard let name = place.text, !recipients.contains(name), !surroundings.known.contains(name)
    else { return }
    tellUnknown(place, "contact or channel", among: recipients)
  }

  mutating func checkNotifications() {
    if let mqtt = root["outputs"]?["mqtt"], !surroundings.hasLibrary("libmosquitto") {
      tell(
        .warning, .missingLibrary, mqtt, "libmosquitto is not installed, which MQTT needs",
        hint: "install libmosquitto1")
    }
    checkTopic(root["outputs"]?["mqtt"]?["base"])
    for contact in root.list("contacts") { checkAddress(contact["email"]) }
    guard let notifications = root["notifications"] else { return }
    for recipient in notifications.list("default") { checkRecipient(recipient) }
    for (_, template) in notifications["templates"]?.members ?? [] { checkTemplate(template) }
    let contacts = texts(root.list("contacts"), "id")
    for channel in notifications.list("channels") {
      if let id = channel["id"], let name = id.text, contacts.contains(name) {
        tell(
          .warning, .duplicateId, id,
          "there is a contact \(JSONEscape.quoted(name)): who names it means that",
          hint: "call one of them otherwise")
      }
      let isGateway = channel["type"]?.text == "sms"
      for place in [channel["body"], isGateway ? channel["url"] : nil] {
        checkTemplate(place, also: isGateway ? BuiltIn.gatewayNames : [])
      }
      if channel["type"]?.text == "command" { checkProgram(channel["name"]) }
      guard channel["type"]?.text != "command" else { continue }
      if channel["security"]?.text == "none", let host = channel["host"]?.text,
        !ReferenceCheck.isLoopback(host), let place = channel["security"]
      {
        tell(
          .unsafeListen, place, "mail and password would go to \(host) in the clear",
          hint: #"write "starttls" or "tls""#)
      }
      let isMail = channel["type"]?.text == "email"
      if isMail { checkAddress(channel["from"]) }
      if !surroundings.hasLibrary("libcurl") {
        tell(
          .warning, .missingLibrary, channel,
          "libcurl is not installed, which \(isMail ? "mail" : "this") needs",
          hint: "install libcurl4")
      }
    }
  }

  /// An address of mail. A home with one that is none does all but mail.
  private mutating func checkAddress(_ place: NodeCursor?) {
    guard let place, let text = place.text, !text.isEmpty, MailAddress(text) == nil else { return }
    tell(
      .warning, .range, place, "nothing can be mailed to or from \(JSONEscape.quoted(text))",
      hint: "an address looks like me@example.org")
  }

  /// A program that is started.
  mutating func checkProgram(_ place: NodeCursor?) {
    let programs = root["exec"]?.members.map(\.name) ?? []
    guard let place, let name = place.text, !programs.contains(name) else { return }
    tellUnknown(place, "program in exec", among: programs)
  }

  /// A text with names in double braces.
  mutating func checkTemplate(_ place: NodeCursor?, also: Set<String> = []) {
    guard let place, let text = place.text else { return }
    let known = BuiltIn.templateNames.union(also).sorted()
    // What is for another program, as Home Assistant, comes there whole when JSON does not show it as two braces.
    let isJSON =
      !text.utf8.starts(with: "{{".utf8) && text.utf8.first.map { "{[".utf8.contains($0) } ?? false
    let others = isJSON ? #"; braces that are for others begin with \\u007b{ in JSON"# : ""
    for name in MessageTemplate(text).names where !known.contains(name) {
      let near = Suggestion.nearest(to: name, among: known)
      tell(
        .unknownReference, place, "there is no {{\(name)}}",
        hint: near.map { "did you mean {{\($0)}}?" }
          ?? "there are \(known.joined(separator: ", "))\(others)")
    }
  }
}
