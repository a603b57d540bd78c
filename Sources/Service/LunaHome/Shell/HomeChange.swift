public import LunaJSON
public import LunaStore

/// Something that has changed in a home.
public struct HomeChange: Sendable {
  /// What has changed.
  public enum Event: Sendable {
    /// A property of a tracker.
    case value(tracker: String, HomeValue)
    /// A tracker came, went or has another name: all of them are to be asked for anew.
    case tracker(String)
    /// A rule ran.
    case firing(HomeFiring)
    /// A rule did not run.
    case held(HomeHeld)
    /// An action of a rule has come to an end.
    case outcome(HomeOutcome)
    /// Something that was asked of a tracker goes on, or has come to an end.
    case command(HomeCommandRow)
    /// How it stands with the radio, the backend, the broker or the uplink, by these names.
    case link(String, HomeLink)
    /// A notice came or went: all of them.
    case notices([HomeNotice])
    /// A tracker of somebody else was found to stay with the box; only for owners.
    case watch(HomeSuspect)
    /// Another file holds: everything is to be asked for anew.
    case config
  }

  /// Its number; the next change has the next one.
  public let revision: Int64
  /// When, µs since 1970.
  public let time: Int64
  /// What has changed.
  public let event: Event

  /// The event's name in streams: `value`, `tracker`, `firing`, `held`, `outcome`, `command`, `link`,
  /// `notice`, `watch` or `config`.
  public var name: String {
    switch event {
    case .value: "value"
    case .tracker: "tracker"
    case .firing: "firing"
    case .held: "held"
    case .outcome: "outcome"
    case .command: "command"
    case .link: "link"
    case .notices: "notice"
    case .watch: "watch"
    case .config: "config"
    }
  }

  /// It as JSON: `type` is ``name``, with the revision, the time and what belongs to the event.
  public var json: JSONValue {
    var object: JSONObject = [
      "type": .string(name), "revision": .integer(revision), "time": HomeTime.json(time),
    ]
    switch event {
    case .value(let tracker, let value):
      object.append("tracker", .string(tracker))
      object.append("property", .string(value.name))
      object.append("value", value.value)
      object.append("at", value.at.map(HomeTime.json) ?? .null)
      object.append("fresh", .bool(value.isFresh))
    case .tracker(let id): object.append("tracker", .string(id))
    case .firing(let firing): object.append("firing", HomeEffect.firing(firing).json)
    case .held(let held): object.append("held", HomeEffect.held(held).json)
    case .outcome(let outcome):
      object.append("firing", .string(outcome.firing))
      object.append("action", .string(outcome.name))
      object.append("state", .string(outcome.state.rawValue))
      object.append("detail", .string(outcome.detail))
    case .command(let command): object.append("command", command.document)
    case .link(let name, let link):
      object.append("name", .string(name))
      object.append("link", link.json)
    case .notices(let notices): object.append("notices", .array(notices.map(\.json)))
    case .watch(let suspect): object.append("suspect", suspect.json)
    case .config: break
    }
    return .object(object)
  }
}

extension HomeCommandRow {
  /// Whether only owners may know of it. Who has a tracker that follows one of them must not learn that it was rung.
  package var isForOwners: Bool { action == LunaHome.onboarding || isOfWatch }

  /// Whether it was asked of a tracker that was found to stay with the box.
  package var isOfWatch: Bool { action == LunaHome.ringing || action == LunaHome.identifying }

  /// It as JSON.
  public var document: JSONValue {
    [
      "id": .string(id), "tracker": .string(tracker), "action": .string(action),
      "state": .string(state), "time": HomeTime.json(time), "changed": HomeTime.json(changed),
      "detail": .string(detail),
    ]
  }
}
