import LunaJSON

/// The side channel of a client of Wehe's at a server of ours, as a machine (UPLINK.md, 5.1, 7.1). It opens nothing
/// itself, and waits for nothing.
package struct WeheConversation: Sendable {
  /// What is to be done.
  package enum Action: Hashable, Sendable {
    /// Send this.
    case send([UInt8])
    /// See whether the replay may be made, and call ``WeheConversation/allow(_:map:senders:)`` or
    /// ``WeheConversation/refuse(_:)``.
    case ask(WeheDeclaration)
    /// The data has ended, with these samples of the client; nil where it has none.
    case end(ReplaySamples?)
    /// Close it, behind what is sent.
    case close
  }

  private enum State {
    case declaration, changes, permission, iperf, facts, machine, data, samples, result, closed
  }

  /// How many samples are wanted.
  package static let buckets = 100
  /// No message but those of samples is longer.
  private static let limit = 4096

  private var state = State.declaration
  private var reader = WeheFrameReader()
  private var declaration: WeheDeclaration?
  /// How many bytes came while it waited: who does not wait is not heard for ever.
  private var early = 0
  /// What follows when the client has said everything about its machine.
  private var answers: [String] = []

  /// Nothing was said yet.
  package init() {}

  /// Takes what came.
  package mutating func take(_ bytes: [UInt8]) -> [Action] {
    guard state != .closed else { return [] }
    if state == .permission {
      early += bytes.count
      guard early <= WeheConversation.limit else { return close() }
    }
    reader.append(bytes)
    return proceed()
  }

  /// The replay may be made.
  ///
  /// - Parameters:
  ///   - address: where the client comes from.
  ///   - map: where its connections go.
  ///   - senders: how many ports send over UDP.
  package mutating func allow(_ address: String, map: String, senders: Int) -> [Action] {
    guard state == .permission else { return [] }
    state = .iperf
    answers = [map, String(senders)]
    return [say("1;\(address);\(WeheConversation.buckets)")] + proceed()
  }

  /// It may not: 1 for a recording that is not there, 2 for an address that is busy, 3 for a server that is.
  package mutating func refuse(_ reason: Int) -> [Action] {
    guard state == .permission else { return [] }
    // Clients of Wehe's cut the number of samples off this one.
    return close(after: [say(reason == 2 ? "0;2;\(WeheConversation.buckets)" : "0;\(reason)")])
  }

  /// A port of the server begins to send over UDP, or has sent everything.
  package func notice(_ notice: ReplayNotice) -> [Action] {
    guard state == .data else { return [] }
    return switch notice {
    case .started(let port): [say("STARTED;\(port)")]
    case .done(let port): [say("DONE;\(port)")]
    }
  }

  private mutating func proceed() -> [Action] {
    var actions: [Action] = []
    do throws(ReplayError) {
      while state != .permission, state != .closed,
        let message = try reader.next(
          limit: state == .samples ? WeheFrame.limit : WeheConversation.limit)
      {
        actions += take(message: message)
      }
    } catch {
      actions += close()
    }
    return actions
  }

  private mutating func take(message: [UInt8]) -> [Action] {
    let isText = message.count <= WeheConversation.limit
    let text = isText ? String(decoding: message, as: UTF8.self) : ""
    switch state {
    case .declaration:
      declaration = WeheDeclaration(message)
      guard declaration != nil else { return close() }
      state = .changes
    case .changes:
      // Which bytes are to be changed: that is not done here.
      guard text.hasPrefix("[-1"), let declaration else { return close() }
      state = .permission
      return [.ask(declaration)]
    case .iperf:
      guard text == "NoIperf" else { return close() }
      state = .facts
    case .facts:
      guard text == "WillSendMobileStats" else { return beginData() }
      state = .machine
    // What machine it is, is not kept.
    case .machine: return beginData()
    case .data:
      guard text.hasPrefix("DONE;") else { return close() }
      state = .samples
    case .samples:
      guard !text.hasPrefix("NoJitter;") else { return end(nil) }
      guard let samples = WeheConversation.samples(message) else { return close() }
      return end(samples)
    case .result:
      guard text.hasPrefix("Result;") else { return close() }
      return close(after: [say("OK")])
    case .permission, .closed: break
    }
    return []
  }

  private mutating func beginData() -> [Action] {
    state = .data
    return answers.map { say($0) }
  }

  private mutating func end(_ samples: ReplaySamples?) -> [Action] {
    state = .result
    return [.end(samples), say("OK")]
  }

  private static func samples(_ message: [UInt8]) -> ReplaySamples? {
    var rules = JSONRules.strict(elements: ReplaySamples.limit)
    rules.depth = RecordingLimits.depth
    guard let json = try? JSONReader.read(message, rules: rules) else { return nil }
    return try? ReplaySamples(json: json, name: "samples")
  }

  private func say(_ text: String) -> Action { .send(WeheFrame.bytes(text)) }

  private mutating func close(after actions: [Action] = []) -> [Action] {
    state = .closed
    return actions + [.close]
  }
}
