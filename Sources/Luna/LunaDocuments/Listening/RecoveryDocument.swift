package import Bluetooth

/// The fields of a step that brings a scan back: the same in all commands that listen.
package enum RecoveryDocument {
  package static func write(_ step: RecoveryStep, to writer: inout JSONFieldWriter) {
    writer.string("adapter", step.adapter)
    writer.string("step", step.kind.rawValue)
    writer.string("outcome", step.outcome.rawValue)
    writer.string("reason", step.reason)
    writer.integer("attempt", Int64(step.attempt))
    guard let duration = step.duration else { return }
    writer.decimal("seconds", duration.wholeMilliseconds, digits: 3)
  }
}
