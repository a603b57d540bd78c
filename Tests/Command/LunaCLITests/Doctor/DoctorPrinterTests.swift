import Diagnosis
import Glibc
import LunaDoctor
import TerminalTable
import Testing

@testable import LunaCLI

@Suite struct DoctorPrinterTests {
  /// However narrow a terminal is, a check has its cause, its remedy and a line of its own.
  @Test(arguments: [8, 17, 18, 30, 100]) func saysAllOnANarrowTerminal(_ width: Int) throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let printer = DoctorPrinter(
      .table, TableStyle(isColored: false), width: width, to: fileno(file))
    printer.print(Finding(.rfkill, .failed, "the radio is off", remedy: "turn it on"))
    printer.print(Finding(.power, .ok, "it has power"))
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = pread(fileno(file), &bytes, bytes.count, 0)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    let words = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    if width >= 18 { #expect(words.contains("the radio is off → turn it on"), "\(text)") }
    #expect(text.contains("off\n") && text.hasSuffix("power\n"), "\(text)")
    #expect(text.contains("\n\u{2713} power"), "\(text)")
  }
}
