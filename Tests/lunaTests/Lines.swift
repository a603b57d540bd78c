import Bluetooth
import Glibc
import Testing

@testable import luna

/// Catches what a sink prints, through a file without a name.
enum Lines {
  static func of(
    _ makeSink: (OutputBuffer) -> any ReportSink, reports: () -> [AdvertisingReport]
  ) throws -> [String] {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let sink = makeSink(OutputBuffer(descriptor: fileno(file)))
    for report in reports() { _ = try sink.take(report) }
    try sink.endBatch()
    try sink.finish()
    let size = Int(lseek(fileno(file), 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    #expect(pread(fileno(file), &bytes, size, 0) == size)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
