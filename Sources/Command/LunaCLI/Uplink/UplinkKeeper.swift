import Bluetooth
import Diagnosis
import EventLoop
import Gzip
import LunaCore
import LunaCrypto
import LunaJSON
import LunaProtocol
import LunaStore
import LunaTelemetry
import UplinkProtocol

/// Stores results, and shows them.
struct UplinkKeeper {
  let state: StateDirectory
  let printer: UplinkPrinter

  /// Stores a result, and shows it, whether that was possible or not.
  ///
  /// - Parameters:
  ///   - samples: what it was made of; nil for nothing.
  ///   - document: the result with its id and its time.
  func keep(
    _ conditions: UplinkConditions, samples: JSONValue? = nil,
    _ document: (_ id: String, _ time: String) -> JSONObject
  ) async throws {
    let random: InlineArray<8, UInt8> = try SecureRandom.bytes()
    let (id, now, state) = (Hex.lower(random.span), Timestamp.now, state)
    let record = UplinkRecord(
      id: id, time: now, document: JSONValue.object(document(id, now.rfc3339)).description,
      samples: samples.flatMap { Gzip.deflate($0.bytes) } ?? [],
      conditions: conditions.json.description)
    do throws(DeviceStoreError) {
      try await Blocking.run { () throws(DeviceStoreError) in
        try UplinkStore(in: state).add(record)
      }
    } catch {
      // It is known all the same.
      try printer.show(record)
      throw CommandFailure(.notFound, error)
    }
    try printer.show(record)
  }
}

extension UplinkKeeper {
  /// Records what a check came to and how long it took, where somebody has asked for that.
  func record(_ verdict: FairnessVerdict?, since began: ContinuousClock.Instant) async {
    guard printer.notes.recordsUse, let verdict else { return }
    var configuration = TelemetryConfiguration(state: state.path)
    configuration.recordsUsage = true
    let telemetry = Telemetry(configuration)
    telemetry.record(.operation("check", in: "uplink", took: began.duration(to: .now)))
    // What cannot be written is not worth a word.
    try? await telemetry.log("uplink.event.verdict", value: verdict.word)
  }
}

extension ExitCode {
  /// Takes in what one of several checks says: a difference counts more than that nothing can be said.
  mutating func worsen(_ verdict: FairnessVerdict?) {
    switch verdict {
    case .throttled, .prioritised, .blocked: self = .notFound
    case .inconclusive: if self == .done { self = .inconclusive }
    case .fair, nil: break
    }
  }
}
