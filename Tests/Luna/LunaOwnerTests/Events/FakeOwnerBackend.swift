import Bluetooth
import LunaCore
import LunaProtocol
import Synchronization

/// A backend with some events, which answers in small pages.
final class FakeOwnerBackend: OwnerBackend {
  struct State: Sendable {
    var events: [StoredEvent] = []
    var queries: [EventQuery] = []
    var commands: [String: CommandStatus] = [:]
    var packages: [ControlPackage] = []
    var cancelled: [String] = []
    /// The time there.
    var time = Timestamp(microseconds: 0)
    /// What each question about a command was given.
    var limits: [Duration?] = []
    /// Why each of the next questions for events is not answered.
    var refusals: [BackendError] = []
    /// Why the next question about a command is not answered.
    var fault: BackendError?
  }

  let state = Mutex(State())
  let pageSize: Int
  /// Whether there is always another page.
  let isEndless: Bool
  /// What a question for events waits for.
  let patience: (@Sendable () async -> Void)?

  init(
    pageSize: Int = 2, isEndless: Bool = false, patience: (@Sendable () async -> Void)? = nil
  ) {
    self.pageSize = pageSize
    self.isEndless = isEndless
    self.patience = patience
  }

  func events(_ query: EventQuery) async throws(BackendError) -> EventPage {
    await patience?()
    let refusal = state.withLock { $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }
    if let refusal { throw refusal }
    return state.withLock { state in
      state.queries.append(query)
      if isEndless { return EventPage([], cursor: "\(state.queries.count)") }
      let heids = Set(query.heids)
      let matching = state.events.filter {
        heids.contains($0.event.heid) && query.days.contains($0.event.day)
      }
      let start = query.cursor.flatMap { Int($0) } ?? 0
      let end = min(start + pageSize, matching.count)
      return EventPage(
        Array(matching[start..<end]), cursor: end < matching.count ? "\(end)" : nil)
    }
  }

  func submit(
    _ packages: [ControlPackage], expiresAt: Timestamp
  ) async throws(BackendError) -> CommandStatus {
    state.withLock { state in
      let status = CommandStatus(
        requestID: "r\(state.commands.count)", state: .queued,
        createdAt: state.time, expiresAt: expiresAt, firstHeid: packages.first?.heid)
      state.commands[status.requestID] = status
      state.packages = packages
      return status
    }
  }

  func status(
    of requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus {
    let fault = state.withLock { state in
      defer { state.fault = nil }
      state.limits.append(limit)
      return state.fault
    }
    if let fault { throw fault }
    guard let status = state.withLock({ $0.commands[requestID] }) else {
      throw BackendError(.notFound, "there is no such command", status: 404)
    }
    return status
  }

  func commands() async throws(BackendError) -> [CommandStatus] {
    state.withLock { state in state.commands.values.sorted { $0.requestID < $1.requestID } }
  }

  func cancel(
    _ requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus {
    let status = try await status(of: requestID, within: limit)
    guard status.isOpen else { return status }
    return state.withLock { state in
      state.cancelled.append(requestID)
      let status = CommandStatus(
        requestID: requestID, state: .cancelled, createdAt: status.createdAt,
        expiresAt: status.expiresAt, cancelledAt: status.createdAt, firstHeid: status.firstHeid)
      state.commands[requestID] = status
      return status
    }
  }

  /// A gateway answers.
  func confirm(_ requestID: String, _ heid: HEID, _ receipt: [UInt8]) {
    state.withLock { state in
      guard let status = state.commands[requestID] else { return }
      state.commands[requestID] = CommandStatus(
        requestID: requestID, state: .confirmed, createdAt: status.createdAt,
        expiresAt: status.expiresAt, heid: heid, receipt: receipt)
    }
  }
}
