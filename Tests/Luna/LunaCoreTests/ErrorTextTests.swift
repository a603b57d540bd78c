import Bluetooth
import Diagnosis
import LunaCore
import Testing

/// Errors are one line, whatever went into them: every room writes them to logs and terminals.
struct ErrorTextTests {
  private static let foreign = "a\n\u{1B}[2J\u{9B}\u{202E}"
  private static let escaped = "a\\x0a\\x1b[2J\\x9b\\u202e"

  @Test func errorsAreOneLine() {
    #expect(
      SourceError(.lost, Self.foreign, remedy: Remedy(Self.foreign)).description
        == "\(Self.escaped); \(Self.escaped)")
    #expect(
      BackendError(.failed, Self.foreign, remedy: Remedy(Self.foreign)).description
        == "\(Self.escaped); \(Self.escaped)")
    #expect(
      DeviceStoreError(.failed, Self.foreign, remedy: Remedy(Self.foreign)).description
        == "\(Self.escaped); \(Self.escaped)")
    #expect(
      DeviceFileError(Self.foreign, entry: Self.foreign).description
        == "\(Self.escaped): \(Self.escaped)")
    #expect(GATTError(.refused, during: "read", Self.foreign).reason == Self.escaped)
  }
}
