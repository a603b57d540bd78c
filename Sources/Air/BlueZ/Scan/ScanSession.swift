import Bluetooth

/// One attempt to scan, on one adapter: opened once, closed once, then thrown away.
protocol ScanSession: Actor {
  /// Finds the adapter, opens what is needed and begins to scan.
  ///
  /// - Returns: On what, and what is done there.
  func open() async throws(SourceError) -> ScanSummary

  /// Switches the scan off and keeps everything else. What cannot be switched off goes on.
  func pause() async

  /// Switches the scan on again.
  func resume() async throws(SourceError)

  /// Switches the scan off and lets go of everything, also after an `open` that failed half way.
  func close() async
}
