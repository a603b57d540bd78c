import MQTT

extension CommandFailure {
  /// Why a broker cannot be used.
  init(_ error: MQTTError) { self.init(ExitCode(error.kind), error) }
}
