public import Bluetooth
import Diagnosis
import Glibc

/// Writes advertising reports to a capture file, as records of the Linux monitor channel: btsnoop
/// or pcapng, by the ending of the name.
///
/// After every ``write(_:)`` the file is complete: whoever ends the program, it can be read. A recording
/// that is there is cut when the first report comes, and outlives a radio that cannot be opened. Links
/// are followed, devices and pipes written through. What is written of a report, and what is lost, is
/// said at ``Bluetooth/CaptureEncoder`` and ``Bluetooth/AdvertisingEventEncoder``.
public final class CaptureWriter {
  private let path: String
  private let file: CaptureOutput
  private var encoder: CaptureEncoder
  private var buffer: [UInt8] = []

  /// Opens the file; a new one gets its header.
  ///
  /// - Parameters:
  ///   - path: The file: `.btsnoop`, `.log` and `.cfa` give btsnoop, `.pcapng` gives pcapng; `-` is
  ///     standard output, as pcapng.
  ///   - input: A file that is being read: it will not be overwritten.
  ///   - replacing: Whether a file that is there may be overwritten.
  /// - Throws: ``Bluetooth/SourceError``, of the kind `invalid` when the ending is another or there
  ///   is such a file, `noPermission` when writing there is not allowed, `busy` when another program
  ///   records into it, `lost` when the place does not exist or writing failed.
  public init(
    path: String, reading input: String? = nil, replacing: Bool = false
  ) async throws(SourceError) {
    let format = try CaptureWriter.format(of: path)
    self.path = path
    encoder = CaptureEncoder(format)
    file = try await CaptureOutput.open(path: path, reading: input, replacing: replacing)
    try await file.begin(with: encoder.header)
  }

  /// Writes `reports`.
  ///
  /// - Throws: ``Bluetooth/SourceError`` of the kind `lost` when there is no room or the file
  ///   cannot be written any more; what was written before stays readable.
  public func write(_ reports: [AdvertisingReport]) async throws(SourceError) {
    buffer.removeAll(keepingCapacity: true)
    for report in reports {
      encoder.append(report, to: &buffer)
      if buffer.count >= 1 << 16 {
        try await file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    try await file.write(buffer)
  }

  /// Closes the file.
  ///
  /// - Throws: ``Bluetooth/SourceError`` of the kind `lost` when the system reports a failed
  ///   write only now.
  public func finish() async throws(SourceError) { try await file.close() }

  private static func format(of path: String) throws(SourceError) -> CaptureEncoder.Format {
    if path == "-" || path.hasSuffix(".pcapng") { return .pcapng }
    if [".btsnoop", ".log", ".cfa"].contains(where: { path.hasSuffix($0) }) { return .btsnoop }
    let remedy: Remedy =
      path.hasSuffix(".pcap")
      ? "pcap is read but not written: name it \(path)ng"
      : "end the name in .btsnoop or .pcapng"
    throw SourceError(
      .invalid, "\(path) does not say by its ending in which format to write", remedy: remedy)
  }
}
