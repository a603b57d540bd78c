public import Bluetooth
import CLinux
import Diagnosis

/// Writes advertising reports to a capture file, as records of the Linux monitor channel: btsnoop
/// or pcapng, by the ending of the name.
///
/// After every ``write(_:)`` the file is complete: whoever ends the program, it can be read. A recording
/// that is there is cut when the first report comes, and outlives a radio that cannot be opened. Links
/// are followed, devices and pipes written through. What is written of a report, and what is lost, is
/// said at ``Bluetooth/CaptureEncoder`` and ``Bluetooth/AdvertisingEventEncoder``.
public final class CaptureWriter {
  private let format: CaptureEncoder.Format
  private let input: String?
  private var encoder: CaptureEncoder
  private var buffer: [UInt8] = []
  /// nil before the first report of a recording in several files.
  private var file: CaptureOutput?
  private var rotation: (rules: CaptureRotation, names: RotatedNames)?
  /// Bytes of the file, those that wait in `buffer` included.
  private var size = 0
  /// When the last report came.
  private var last = Timestamp.unknown

  /// Opens the file; a new one gets its header.
  ///
  /// - Parameters:
  ///   - path: The file: `.btsnoop`, `.log` and `.cfa` give btsnoop, `.pcapng` gives pcapng; `-` is
  ///     standard output, as pcapng.
  ///   - input: A file that is being read: it will not be overwritten.
  ///   - replacing: Whether a file that is there may be overwritten.
  ///   - rotation: When to go on in a new file. Each has the time of its beginning in its name, as in
  ///     `air-20261123T150000Z.btsnoop` for `air.btsnoop`; the first is made when the first report comes,
  ///     and none that is there is overwritten.
  /// - Throws: ``Bluetooth/SourceError``, of the kind `invalid` when the ending is another or there
  ///   is such a file, `noPermission` when writing there is not allowed, `busy` when another program
  ///   records into it, `lost` when the place does not exist or writing failed.
  public init(
    path: String, reading input: String? = nil, replacing: Bool = false,
    rotation: CaptureRotation? = nil
  ) async throws(SourceError) {
    format = try CaptureWriter.format(of: path)
    self.input = input
    encoder = CaptureEncoder(format)
    if let rotation {
      self.rotation = (rotation, try RotatedNames(path))
    } else {
      let file = try await CaptureOutput.open(path: path, reading: input, replacing: replacing)
      try await file.begin(with: encoder.header)
      self.file = file
    }
  }

  /// Writes `reports`.
  ///
  /// - Throws: ``Bluetooth/SourceError`` of the kind `lost` when there is no room or the file
  ///   cannot be written any more; what was written before stays readable.
  public func write(_ reports: [AdvertisingReport]) async throws(SourceError) {
    buffer.removeAll(keepingCapacity: true)
    for report in reports {
      if let rotation {
        try await add(report, rotation.rules, rotation.names)
      } else {
        encoder.append(report, to: &buffer)
      }
      if buffer.count >= 1 << 16 { try await flush() }
    }
    try await flush()
  }

  /// Closes the file.
  ///
  /// - Throws: ``Bluetooth/SourceError`` of the kind `lost` when the system reports a failed
  ///   write only now.
  public func finish() async throws(SourceError) { try await file?.close() }

  private func flush() async throws(SourceError) {
    try await file?.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Adds a report to the file, or to a new one where this one ends before it.
  private func add(
    _ report: AdvertisingReport, _ rules: CaptureRotation, _ names: RotatedNames
  ) async throws(SourceError) {
    let time = report.time != .unknown ? report.time : last == .unknown ? CaptureWriter.now : last
    var (next, records) = encoded(report, by: encoder)
    var isFull = false
    if case .bytes(let limit) = rules.limit { isFull = Int64(size + records.count) > limit }
    if file == nil || isFull || rules.separates(last, time) {
      try await begin(at: file == nil ? time : rules.beginning(time), rules, names)
      (next, records) = encoded(report, by: encoder)
    }
    encoder = next
    buffer += records
    size += records.count
    last = time
  }

  /// Where nobody knows when something was heard.
  private static var now: Timestamp {
    Timestamp(microseconds: luna_now())
  }

  private func encoded(
    _ report: AdvertisingReport, by encoder: CaptureEncoder
  ) -> (CaptureEncoder, [UInt8]) {
    var (next, records) = (encoder, [UInt8]())
    next.append(report, to: &records)
    return (next, records)
  }

  /// Goes on in a new file.
  private func begin(
    at time: Timestamp, _ rules: CaptureRotation, _ names: RotatedNames
  ) async throws(SourceError) {
    try await flush()
    try await file?.close()
    let (file, path) = try await names.open(at: time)
    self.file = file
    encoder = CaptureEncoder(format)
    let header = encoder.header
    try await file.begin(with: header)
    size = header.count
    if let kept = rules.kept {
      await file.removeOldest(names, keeping: kept, sparing: [path] + (input.map { [$0] } ?? []))
    }
  }

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
