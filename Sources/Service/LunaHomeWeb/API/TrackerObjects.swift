import Diagnosis
import HTTPServer
import LunaCrypto
import LunaHome
import LunaJSON
import LunaProtocol
import LunaStore
import WebAccess

/// Trackers that people change, forget and make their own.
enum TrackerObjects {
  /// What can be said of a tracker.
  private static let changeable: Set = ["name", "icon", "tags", "keepDays"]

  /// What the file or people say of trackers, by their ids.
  static func list(_ api: HomeAPI) async throws -> [String: ListedObject] {
    let all = try await HomeObjectKeeper(.trackers, api).list()
    return Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
  }

  /// Whether somebody may ask something of a tracker: a guest sees, rings where that was given, and sets nothing.
  static func may(_ caller: HomeCaller, _ action: String, _ tracker: String) -> Bool {
    caller.role > .guest
      || caller.rings(tracker) && ["turn_on", "turn_off", "blink"].contains(action)
  }

  /// A tracker, with where it stands.
  ///
  /// - Parameter caller: who sees it; nil for an owner.
  static func json(
    _ tracker: HomeTracker, _ listed: ListedObject?, for caller: HomeCaller? = nil
  ) -> JSONValue {
    guard case .object(var object) = tracker.json else { return tracker.json }
    if let caller {
      object.members.removeAll { ["actions", "properties"].contains($0.name) }
      var properties = JSONObject()
      for value in tracker.values {
        properties.append(value.name, caller.shown(value, of: tracker.id).json)
      }
      object.append("properties", .object(properties))
      let actions = tracker.actions.filter { may(caller, $0, tracker.id) }
      object.append("actions", .array(actions.map { .string($0) }))
    }
    object.append("keepDays", listed?.value["keepDays"] ?? 90)
    object.append("managedBy", listed?.managedBy ?? "file")
    return .object(object)
  }

  static func answer(
    _ tracker: HomeTracker, _ listed: ListedObject?, for caller: HomeCaller? = nil
  ) throws -> HTTPResponse {
    var response = HTTPResponse(200, json: json(tracker, listed, for: caller))
    if let listed { response.headers.append(("ETag", try HomeObject.tag(of: listed.value))) }
    return response
  }

  /// What people say of the tracker of a call, which they may change.
  private static func own(_ api: HomeAPI, _ call: HomeCall) async throws -> ListedObject {
    let tracker = try await api.tracker(call)
    guard let listed = try await list(api)[tracker.id] else {
      throw ProblemDocument(
        409, "managedByFile", "This stands in the file.", detail: "it is the box itself")
    }
    try listed.check(call)
    return listed
  }

  static func change(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let keeper = HomeObjectKeeper(.trackers, api)
    let changed = try await keeper.alone { () async throws -> ListedObject in
      let listed = try await own(api, call)
      guard case .object(let changes) = try call.json(), case .object(var object) = listed.value
      else { throw FormatError("the body", "is no object") }
      for member in changes.members {
        guard changeable.contains(member.name) else {
          throw FormatError(member.name, "is not what can be changed")
        }
        object.members.removeAll { $0.name == member.name }
        if member.value != .null { object.append(member.name, member.value) }
      }
      return try await keeper.keep(.object(object), listed.id)
    }
    return try answer(try await api.tracker(call), changed)
  }

  static func forget(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    func isAsked(_ name: String) throws(FormatError) -> Bool {
      switch call.query(name) {
      case nil, "false": false
      case "true": true
      default: throw FormatError(name, "is not true or false")
      }
    }
    let (history, keys) = (try isAsked("history"), try isAsked("keys"))
    let keeper = HomeObjectKeeper(.trackers, api)
    let listed = try await keeper.alone { () async throws -> ListedObject in
      let found = try await own(api, call)
      try await keeper.remove(found.id)
      return found
    }
    if history { try await api.home.forgetHistory(of: listed.id) }
    if keys, let device = listed.value["device"]?.text {
      _ = try await api.home.forgetDevice(device)
    }
    return HTTPResponse(204, nil, [])
  }

  static func onboard(_ api: HomeAPI, _ call: HomeCall) async throws -> HTTPResponse {
    let members = try call.members()
    let name = try members.optionalString("name", limit: 80)
    guard name?.isEmpty != true else { throw FormatError("name", "is empty") }
    let code = try await code(members, api)
    let row = try await api.home.onboard(code, name: name) { uuid, name in
      try await keep(uuid, name, api)
    }
    return HTTPResponse(202, json: ["commandId": .string(row.id), "state": .string(row.state)])
  }

  private static func code(
    _ members: JSONMembers, _ api: HomeAPI
  ) async throws -> OnboardingCode {
    let (given, picture) = (members.optional("code"), members.optional("picture"))
    guard (given == nil) != (picture == nil) else {
      throw FormatError("code", "is needed, or a picture, and not both")
    }
    if given != nil {
      let text = try members.string("code")
      guard let code = OnboardingCode.first(inLinesOf: Array(text.utf8)) else {
        throw noCode("this is not the line on the label that begins with LUNA1:")
      }
      return code
    }
    var lines = try await codes(in: try members.string("picture"), api) { noCode($0) }
    defer { wipe(&lines) }
    guard let code = OnboardingCode.first(inLinesOf: lines) else {
      throw noCode("the picture shows no code of a tracker")
    }
    return code
  }

  /// The texts of the QR codes in a picture, a line each; they may be secret.
  ///
  /// - Parameters:
  ///   - picture: Base64, or a data URL.
  ///   - refusal: words why there are none.
  static func codes(
    in picture: String, _ api: HomeAPI, refusal: @Sendable (String) -> ProblemDocument
  ) async throws -> [UInt8] {
    var text = Substring(picture)
    if text.hasPrefix("data:"), let comma = text.firstIndex(of: ",") {
      text = text[text.index(after: comma)...]
    }
    guard let bytes = Base64.decode(text), !bytes.isEmpty else {
      throw refusal("the picture is not in Base64")
    }
    do {
      return try await api.readPicture(bytes, true)
    } catch {
      throw refusal((error as? any Diagnosed)?.reason ?? "the picture cannot be read")
    }
  }

  private static func noCode(_ detail: String) -> ProblemDocument {
    ProblemDocument(422, "code", "There is no code.", detail: detail, members: ["field": "code"])
  }

  /// Puts a device that is one's own now into the list.
  ///
  /// - Returns: the id of its tracker.
  static func keep(_ uuid: String, _ name: String, _ api: HomeAPI) async throws -> String {
    let keeper = HomeObjectKeeper(.trackers, api)
    return try await keeper.alone { () async throws -> String in
      let all = try await keeper.list()
      // Somebody may have written it into the file beforehand.
      let known = all.first {
        let device = $0.value["device"]?.text
        return device == name || device?.lowercased() == uuid.lowercased()
      }
      if let known {
        try await api.reload()
        return known.id
      }
      let id = freeID(name, Set(all.map(\.id)))
      return try await keeper.add(
        ["device": .string(uuid), "name": .string(name)], id
      ).id
    }
  }

  /// Takes a device that is gone out of the list, where people have put it there and nothing needs it.
  static func drop(_ uuid: String, _ api: HomeAPI) async throws {
    let keeper = HomeObjectKeeper(.trackers, api)
    try await keeper.alone { () async throws -> Void in
      let gone = try await keeper.list().first {
        $0.line == nil && $0.value["device"]?.text?.lowercased() == uuid.lowercased()
      }
      do {
        if let gone { return try await keeper.remove(gone.id) }
      } catch let problem as ProblemDocument where problem.code == "inUse" {
        // Rules that name it stay as they are, and so does it.
      }
      try await api.reload()
    }
  }

  /// An id that says what it is called, and that nothing has.
  private static func freeID(_ name: String, _ taken: Set<String>) -> String {
    var base = ""
    for scalar in name.lowercased().unicodeScalars {
      if ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) {
        base.unicodeScalars.append(scalar)
      } else if !base.isEmpty, !base.hasSuffix("-") {
        base += "-"
      }
    }
    base = String(base.prefix(40))
    while base.hasSuffix("-") { base.removeLast() }
    if base.isEmpty || base == "self" { base = "tracker" }
    var (id, number) = (base, 1)
    while taken.contains(id) {
      number += 1
      id = "\(base)-\(number)"
    }
    return id
  }
}
