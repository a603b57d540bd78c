import HTTPServer
import LunaHome
import LunaJSON
import WebAccess

/// `places`, `rules`, `contacts`: what people make, beside what the file has.
enum ObjectEndpoints {
  /// What something new may be refused with.
  private static let newRefusals: [(status: Int, when: String)] = [
    (409, "It stands in the file, this id is taken, or something else needs it."),
    (422, "It cannot be used."),
  ]

  /// What a change may be refused with.
  static let refusals: [(status: Int, when: String)] =
    newRefusals + [
      (404, "There is no such thing."), (412, "Somebody has changed it meanwhile."),
      (428, "If-Match is missing."),
    ]

  static let all =
    endpoints(.places, "place", "Place", .member) + endpoints(.rules, "rule", "Rule", .member)
    + endpoints(.contacts, "contact", "Contact", .owner)

  /// The endpoints of a list.
  ///
  /// - Parameter role: who may change it.
  private static func endpoints(
    _ kind: HomeObject.Kind, _ one: String, _ word: String, _ role: HomeRole
  ) -> [HomeEndpoint] {
    let path = kind.rawValue
    return [
      HomeEndpoint(
        "GET", path, "list\(word)s", "See the \(path).", .role(.member), answer: word + "s"
      ) { api, call in
        let caller = try call.caller()
        let all = try await HomeObjectKeeper(kind, api).list().filter {
          caller.sees($0.value, of: kind)
        }
        return HTTPResponse(200, json: [path: .array(all.map { shown($0, kind, caller) })])
      },
      HomeEndpoint(
        "GET", path + "/{id}", "get\(word)", "See a \(one).", .role(.member),
        answer: "Shown" + word
      ) { api, call in
        let found = try await find(call, HomeObjectKeeper(kind, api))
        return try answer(200, found, kind, try call.caller())
      },
      HomeEndpoint(
        "POST", path, "add\(word)", "Make a \(one).", .role(role), body: word, 201,
        answer: "Shown" + word, problems: newRefusals
      ) { api, call in
        let value = try given(call, kind)
        let id = try value["id"]?.text ?? String(RandomSecret().text.prefix(12))
        let keeper = HomeObjectKeeper(kind, api)
        let made = try await keeper.alone { try await keeper.add(value, id) }
        return try answer(201, made, kind, try call.caller())
      },
      HomeEndpoint(
        "PUT", path + "/{id}", "change\(word)", "Change a \(one).", .role(role), body: word,
        answer: "Shown" + word, problems: refusals
      ) { api, call in
        let keeper = HomeObjectKeeper(kind, api)
        let changed = try await keeper.alone { () async throws -> ListedObject in
          try await find(call, keeper).check(call)
          return try await keeper.keep(try given(call, kind), call.parameter)
        }
        return try answer(200, changed, kind, try call.caller())
      },
      HomeEndpoint(
        "DELETE", path + "/{id}", "remove\(word)", "Remove a \(one).", .role(role), 204,
        problems: refusals
      ) { api, call in
        let keeper = HomeObjectKeeper(kind, api)
        try await keeper.alone { () async throws -> Void in
          try await find(call, keeper).check(call)
          try await keeper.remove(call.parameter)
        }
        return HTTPResponse(204, nil, [])
      },
    ]
  }

  /// What a call is about, where who calls may know of it.
  private static func find(
    _ call: HomeCall, _ keeper: HomeObjectKeeper
  ) async throws -> ListedObject {
    let found = try await keeper.find(call.parameter)
    guard try call.caller().sees(found.value, of: keeper.kind) else {
      throw ProblemDocument.notFound("nothing has this id")
    }
    return found
  }

  /// What a call wants something to be, where who calls may have such a thing.
  private static func given(_ call: HomeCall, _ kind: HomeObject.Kind) throws -> JSONValue {
    let value = try call.json()
    guard try call.caller().sees(value, of: kind) else {
      throw ProblemDocument(
        403, "forbidden", "This is not allowed to who calls.",
        detail: "rules that begin by a tracker that stays with the box are for owners")
    }
    return value
  }

  /// What who calls may see: the addresses of people are for owners.
  private static func shown(
    _ one: ListedObject, _ kind: HomeObject.Kind, _ caller: HomeCaller
  ) -> JSONValue {
    guard kind == .contacts, caller.role < .owner, case .object(var object) = one.json else {
      return one.json
    }
    object.members.removeAll { !["id", "name", "managedBy"].contains($0.name) }
    return .object(object)
  }

  private static func answer(
    _ status: Int, _ one: ListedObject, _ kind: HomeObject.Kind, _ caller: HomeCaller
  ) throws -> HTTPResponse {
    var response = HTTPResponse(status, json: shown(one, kind, caller))
    response.headers.append(("ETag", try HomeObject.tag(of: one.value)))
    return response
  }
}
