import Bluetooth
import Glibc
import LunaDocuments
import LunaJSON
import Testing

@testable import LunaCLI

@Suite("What the demonstration prints")
struct DemoPrinterTests {
  private static let start = Timestamp(microseconds: 1_795_000_000_000_000)

  private func print(
    isJSON: Bool, in zone: any CivilZone = UTCZone(), width: Int? = nil,
    _ body: (DemoPrinter) throws -> Void
  ) throws -> String {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let printer = DemoPrinter(
      OutputBuffer(descriptor: fileno(file)), isJSON: isJSON, isColored: false,
      clock: DemoClock(speed: 30, start: DemoPrinterTests.start), times: ClockText(zone),
      width: width)
    try body(printer)
    let size = Int(lseek(fileno(file), 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: size)
    #expect(pread(fileno(file), &bytes, size, 0) == size)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func story(_ printer: DemoPrinter) throws {
    try printer.begin(source: "virtual:7")
    try printer.step("backend", "A backend starts.")
    try printer.tell("upload", "3 \"sealed\" reports") { $0.integer("sightings", 3) }
    printer.aside("sound", "it sounds")
    try printer.step("buzz", "Another step.")
  }

  @Test("For a program every line is an object with its type, the first one says what it is")
  func json() throws {
    let lines = try print(isJSON: true, story).split(separator: "\n")
    let objects = try lines.map { line in
      guard case .object(let object) = try JSONReader.read(Array(line.utf8)) else {
        throw CancellationError()
      }
      return object
    }
    #expect(objects.map { $0["type"] } == ["start", "step", "upload", "sound", "step"])
    #expect(objects[0]["simulated"] == .bool(true) && objects[0]["speed"] == .integer(30))
    #expect(objects[0]["schema"] == .integer(2) && objects[0]["source"] == "virtual:7")
    #expect(objects[1...].map { $0["step"] } == [1, 1, 1, 2].map { .integer($0) })
    #expect(objects[2]["text"] == "3 \"sealed\" reports" && objects[2]["sightings"] == .integer(3))
    #expect(lines[1].contains("\"time\":\"2026-11-18T"))
  }

  @Test("For a person steps are numbered, and lines are short")
  func text() throws {
    let text = try print(isJSON: false, story)
    #expect(text.contains("a minute lasts 2 s."))
    #expect(text.contains("\n1  A backend starts.\n"))
    #expect(text.contains("  3 \"sealed\" reports\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(!text.contains("\u{1B}"))
  }

  /// Two hours ahead of UTC.
  private struct Summer: CivilZone {
    let name = "summer"
    func offset(at moment: Timestamp) -> Int64 { 7200 }
  }

  @Test("People read times of their own, and which those are; data is in UTC")
  func times() throws {
    // 11:06:40 in UTC.
    let text = try print(isJSON: false, in: Summer(), story)
    #expect(text.contains("Times are summer; it is 13:06 there."))
    #expect(text.contains("\n   13:0"))
    #expect(try print(isJSON: false, story).contains("Times are UTC; it is 11:06 there."))
    #expect(try print(isJSON: true, in: Summer(), story).contains("T11:06:40"))
  }

  @Test("On a narrow terminal lines end between words, and go on below their beginnings")
  func narrow() throws {
    let text = try print(isJSON: false, width: 40) { printer in
      try printer.begin(source: "virtual:7")
      try printer.step(
        "backend", "A backend serves on loopback. It keeps sealed reports that it cannot read.")
      try printer.tell("upload", "three sightings sealed, and two of them uploaded")
    }
    #expect(
      text.contains(
        """

        1  A backend serves on loopback. It
           keeps sealed reports that it cannot
           read.

        """))
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 40 })
    #expect(lines.last == "          two of them uploaded")
  }

  @Test("Who asks is told how far it is")
  func progress() throws {
    _ = try print(isJSON: true) { printer in
      #expect(printer.statistics == "step 0: it begins")
      try story(printer)
      #expect(printer.statistics == "step 2: Another step.")
    }
  }

  @Test("Somebody who reads no more ends the story")
  func isClosed() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    signal(SIGPIPE, SIG_IGN)
    let printer = DemoPrinter(
      OutputBuffer(descriptor: ends[1]), isJSON: true, isColored: false,
      clock: DemoClock(speed: 30, start: DemoPrinterTests.start))
    printer.aside("sound", "nobody hears it")
    #expect { try printer.step("buzz", "Nobody reads it.") } throws: {
      ($0 as? OutputBuffer.WriteError)?.isClosedPipe == true
    }
  }
}
