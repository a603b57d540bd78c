import Diagnosis
import LunaDocuments
import LunaJSON
import SafeText

/// What a file says beyond the form of its values: names that mean something, filters, times, and
/// what must not be.
struct ReferenceCheck {
  var problems: ProblemList
  let root: NodeCursor
  let surroundings: HomeSurroundings

  init(_ problems: ProblemList, _ root: SourceNode, _ surroundings: HomeSurroundings) {
    self.problems = problems
    self.root = NodeCursor(node: root, path: [])
    self.surroundings = surroundings
  }

  mutating func check() {
    checkIds()
    checkModels()
    checkTrackers()
    checkPlaces()
    checkExperience()
    checkNotifications()
    checkServer()
    checkService()
    checkIssuer()
    checkSecrets(root)
    checkZones(root)
    checkRules()
  }

  mutating func tell(
    _ code: Problem.Code, _ place: NodeCursor, _ reason: String, hint: String? = nil
  ) {
    tell(.error, code, place, reason, hint: hint)
  }

  mutating func tell(
    _ level: Problem.Level, _ code: Problem.Code, _ place: NodeCursor, _ reason: String,
    hint: String? = nil
  ) {
    problems.add(
      level, code, at: place.node.range.lowerBound, path: place.path, reason, hint: hint)
  }

  /// Says that a name means nothing, with the nearest one that does.
  mutating func tellUnknown(_ place: NodeCursor, _ what: String, among words: [String]) {
    let near = Suggestion.nearest(to: place.text ?? "", among: words)
    tell(
      .unknownReference, place,
      "there is no \(what) \(JSONEscape.quoted(place.text ?? ""))",
      hint: near.map { "did you mean \(JSONEscape.quoted($0))?" }
        ?? (words.isEmpty ? "declare it" : "there are \(words.prefix(8).joined(separator: ", "))"))
  }

  func texts(_ list: [NodeCursor], _ name: String) -> [String] {
    list.compactMap { $0[name]?.text }
  }

  private mutating func checkIds() {
    let experience = root["userExperience"]
    let lists: [(String, [NodeCursor], String)] = [
      ("place", root.list("places"), "id"), ("contact", root.list("contacts"), "id"),
      ("rule", root.list("rules") + root.list("schedules"), "id"),
      ("model", root.list("devices"), "oemModel"),
      ("channel", root["notifications"]?.list("channels") ?? [], "id"),
      ("screen", experience?.list("screens") ?? [], "name"),
      ("control", experience?.list("controls") ?? [], "name"),
      ("colour", experience?.list("colors") ?? [], "name"),
    ]
    for (what, list, key) in lists { checkIds(what, list.compactMap { $0[key] }) }
    // A tracker without an id is called as it is named, or as its device.
    let trackers = root.list("trackers")
    checkIds("tracker", trackers.compactMap { $0["id"] ?? $0["name"] ?? $0["device"] })
    for model in root.list("devices") {
      checkIds("property", model.list("managedProperties").compactMap { $0["name"] })
    }
  }

  private mutating func checkIds(_ what: String, _ places: [NodeCursor]) {
    var seen: [String: Int] = [:]
    for place in places {
      guard let text = place.text else { continue }
      let line = problems.line(of: place.node.range.lowerBound)
      if let first = seen[text] {
        tell(
          .duplicateId, place, "there is a \(what) \(JSONEscape.quoted(text)) on line \(first)",
          hint: "call one of them otherwise")
      } else {
        seen[text] = line
      }
    }
  }

  private mutating func checkTrackers() {
    let models = texts(root.list("devices"), "oemModel")
    for tracker in root.list("trackers") {
      if let model = tracker["model"], let name = model.text,
        !models.contains(name), !BuiltIn.models.contains(name)
      {
        tellUnknown(model, "model", among: models + BuiltIn.models)
      }
      if tracker["id"] ?? tracker["name"] ?? tracker["device"] == nil {
        tell(
          .warning, .missing, tracker, "nothing can call this tracker, so there is none",
          hint: "give it an id or a name")
      }
      checkFilter(tracker["match"])
      checkIcon(tracker["icon"])
    }
    for (_, place) in root["box"]?["adapters"]?.members ?? [] { checkPlace(place) }
    if let location = root["box"]?["location"], let text = location.text, !isLocation(text) {
      tell(
        .range, location, "\(JSONEscape.quoted(text)) is no source of locations",
        hint: "write static:LAT,LON or gpsd or geoclue")
    }
  }

  private func isLocation(_ text: String) -> Bool {
    if text == "geoclue" || text == "gpsd" || text.utf8.starts(with: "gpsd:".utf8) { return true }
    guard text.utf8.starts(with: "static:".utf8) else { return false }
    let parts = text.dropFirst(7).split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, (2...3).contains(numbers.count) else { return false }
    return (-90...90).contains(numbers[0]) && (-180...180).contains(numbers[1])
      && (numbers.count == 2 || (-12_000...100_000).contains(numbers[2]))
  }

  private mutating func checkPlaces() {
    for place in root.list("places") {
      if let id = place["id"], let name = id.text, ["away", "unknown"].contains(name) {
        tell(
          .warning, .range, id,
          "the zone of a tracker is called \(JSONEscape.quoted(name)) also where it is in no place",
          hint: "call it otherwise")
      }
      if let leave = place["leaveRadius"], let outer = leave.node.number,
        let inner = place["radius"]?.node.number, outer < inner
      {
        tell(
          .range, leave, "the leaveRadius is less than the radius",
          hint: "make it at least \(place["radius"]?.node.json.description ?? "the radius")")
      }
    }
  }

  /// A place that is named.
  mutating func checkPlace(_ place: NodeCursor?) {
    let places = texts(root.list("places"), "id")
    guard let place, let name = place.text, !places.contains(name),
      !surroundings.known.contains(name)
    else { return }
    tellUnknown(place, "place", among: places)
  }

  mutating func checkIcon(_ icon: NodeCursor?) {
    guard let icon, let name = icon.text, BuiltIn.isAssumed(name) else { return }
    tell(
      .warning, .unknownReference, icon,
      "the icon \(JSONEscape.quoted(name)) is not declared; the generic one is shown")
  }

  mutating func checkFilter(_ filter: NodeCursor?) {
    guard let filter, let text = filter.text, !text.isEmpty else { return }
    do throws(FilterError) {
      _ = try FilterParser.parse(text)
    } catch {
      tell(.badFilter, filter, error.reason, hint: error.remedy?.description)
    }
  }

  private mutating func checkServer() {
    guard let server = root["server"] else { return }
    if let tiles = server["tileURL"], let text = tiles.text,
      !["{z}", "{x}", "{y}"].allSatisfy({ text.contains(text: $0) })
    {
      tell(
        .range, tiles, "the address of map tiles does not say which tile",
        hint: #"write it as "https://tiles.example.org/{z}/{x}/{y}.png""#)
    }
    for plan in server.list("floorPlans") {
      for (less, more) in [("south", "north"), ("west", "east")] {
        guard let edge = plan[more], let most = edge.node.number,
          let least = plan[less]?.node.number, most <= least
        else { continue }
        tell(
          .range, edge, "the floor plan has no extent: \(more) is not more than \(less)",
          hint: "give the edges of the picture in degrees")
      }
    }
    if let listen = server["listen"], let text = listen.text {
      if let host = ReferenceCheck.host(of: text) {
        let isGuarded = server["tls"] != nil || server["plainHTTPOnLAN"]?.node.bool == true
        if !ReferenceCheck.isLoopback(host), !isGuarded {
          tell(
            .unsafeListen, listen, "\(text) can be reached by others, without TLS",
            hint: "give tls, or set plainHTTPOnLAN to true")
        }
      } else {
        tell(
          .range, listen, "\(JSONEscape.quoted(text)) is no host and port",
          hint: #"write it as "127.0.0.1:8470""#)
      }
    }
  }

  private static let backends = ["Field", "Development", "Staging"].flatMap { type in
    ["USA", "China", "Europe"].map { "\(type).\($0)" }
  }

  private mutating func checkService() {
    if let every = root["service"]?["fetchEvery"], let text = every.text,
      HomeDuration(text).map({ $0 < .seconds(60) }) == true
    {
      tell(
        .warning, .range, every, "remote events are fetched once a minute at most",
        hint: "write 1m or more")
    }
    let isStrict = root["strict"]?.node.bool == true
    for (name, backend) in root["service"]?["endpoints"]?.members ?? [] {
      guard !ReferenceCheck.backends.contains(name) else { continue }
      let near = Suggestion.nearest(to: name, among: ReferenceCheck.backends)
      tell(
        isStrict ? .error : .warning, .unknownKey, backend,
        "no backend is called \(JSONEscape.quoted(name))",
        hint: near.map { "did you mean \(JSONEscape.quoted($0))?" }
          ?? "there are \(ReferenceCheck.backends.joined(separator: ", "))")
    }
    checkBackend()
  }

  /// Where backends are named or have addresses, the one that is meant needs one.
  private mutating func checkBackend() {
    let (sdk, endpoints) = (root["sdkConfig"], root["service"]?["endpoints"])
    let type = sdk?["serviceType"]?.text ?? "Dynamic"
    let location = sdk?["serviceLocation"]?.text ?? "Europe"
    let names = (endpoints?.members ?? []).map(\.name)
      .filter { ReferenceCheck.backends.contains($0) }
    guard type != "Demo", type != "Dynamic" || !names.isEmpty,
      !names.contains(where: {
        type == "Dynamic" ? $0.hasSuffix(location) : $0 == "\(type).\(location)"
      }),
      let place = sdk?["serviceType"] ?? sdk?["serviceLocation"] ?? endpoints
    else { return }
    tell(
      .warning, .missing, place, "no backend is asked: this one has no endpoint",
      hint: "write \(type == "Dynamic" ? "Field" : type).\(location) into service.endpoints")
  }

  private mutating func checkIssuer() {
    guard let issuer = root["auth"]?["oidc"], root["sdkConfig"]?["appId"]?.text?.isEmpty ?? true
    else { return }
    tell(
      .missing, issuer, "nobody can sign in at the issuer: there is no client id",
      hint: "write as what it knows this home into sdkConfig.appId")
  }

  static func host(of text: String) -> String? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      port > 0 || text.hasSuffix(":0")
    else { return nil }
    var host = text[..<colon]
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    return host.isEmpty ? nil : String(host)
  }

  static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1"
      || host.utf8.starts(with: "127.".utf8)
        && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
  }

  /// Where people make up the keys: whatever they are called, they mean nothing here.
  private static let free: Set = ["strings", "templates", "extras", "packages"]

  /// Files with secrets, wherever one is named.
  private mutating func checkSecrets(_ place: NodeCursor) {
    let secrets: Set = ["password", "token", "secret", "appSecret"]
    for (name, value) in place.members where !ReferenceCheck.free.contains(name) {
      let isHeader = place.path.last == "headers"
      if secrets.contains(name) || isHeader, let file = value["file"], let path = file.text {
        switch surroundings.secretFile(path) {
        case .fine: break
        case .absent:
          tell(.unknownReference, file, "there is no file \(JSONEscape.quoted(path))")
        case .open:
          tell(
            .secretInFile, file, "others may read \(JSONEscape.quoted(path))",
            hint: "take the rights of group and others from it (0600)")
        }
      }
      checkSecrets(value)
    }
    for element in place.elements { checkSecrets(element) }
  }

  private mutating func checkZones(_ place: NodeCursor) {
    for (name, value) in place.members
    where name != "headers" && !ReferenceCheck.free.contains(name) {
      if name == "zone", let zone = value.text, TextForm.zone.accepts(zone),
        !surroundings.isZone(zone)
      {
        tell(
          .badZone, value, "the system knows no time zone \(JSONEscape.quoted(zone))",
          hint: #"write it as "Europe/Berlin""#)
      }
      checkZones(value)
    }
    for element in place.elements { checkZones(element) }
  }
}
