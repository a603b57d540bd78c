import Bluetooth
import LunaTesting
import Synchronization

/// A radio on which a test plays the peers.
final class ScriptedRadio: AdvertisingRadio {
  /// What was asked of it, in order.
  enum Call: Equatable, Sendable {
    case advertise(PDUType)
    case silence
    case respond(GATTResponse)
    case indicate(BluetoothUUID, [UInt8])
    case disconnect
    case close
  }

  private struct State {
    var onLink: LinkHandler = { _, _ in }
    var services: [GATTService] = []
  }

  private let state = Mutex(State())
  private let called = Watched<[Call]>([])

  var calls: [Call] { called.value }
  var services: [GATTService] { state.withLock { $0.services } }

  /// Something happens on a link to the first tracker.
  func happens(_ event: PeripheralEvent, serial: UInt64 = 1) {
    state.withLock { $0.onLink }(event, PeripheralLink(number: 0, serial: serial))
  }

  /// What peers get: everything but advertisements.
  var answers: [Call] { ScriptedRadio.answers(calls) }

  private static func answers(_ calls: [Call]) -> [Call] {
    calls.filter { if case .advertise = $0 { false } else { $0 != .silence } }
  }

  /// Waits until there are so many answers.
  func answers(_ count: Int) async throws -> [Call] {
    try await called.until { $0.contains(.close) || ScriptedRadio.answers($0).count >= count }
    return answers
  }

  private func note(_ call: Call) { called.withLock { $0.append(call) } }

  func open(
    count: Int, serving services: [GATTService], onLink: @escaping LinkHandler
  ) async throws(SourceError) -> AdvertiserSummary {
    state.withLock {
      $0.onLink = onLink
      $0.services = services
    }
    return AdvertiserSummary(name: "scripted", explanation: "a test")
  }

  func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {
    note(.advertise(advertisement.pdu))
  }

  func silence(_ number: Int) async throws(SourceError) { note(.silence) }

  func respond(_ response: GATTResponse, on link: PeripheralLink) async { note(.respond(response)) }

  func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) async { note(.indicate(characteristic, value)) }

  func disconnect(_ link: PeripheralLink) async { note(.disconnect) }

  func close() async { note(.close) }
}
