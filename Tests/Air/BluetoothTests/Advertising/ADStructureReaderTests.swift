import Testing

@testable import Bluetooth

@Suite struct ADStructureReaderTests {
  private func walk(_ bytes: [UInt8]) -> (structures: [ADStructure], malformed: Bool) {
    var reader = ADStructureReader()
    var structures: [ADStructure] = []
    while let structure = reader.next(in: bytes.span) { structures.append(structure) }
    return (structures, reader.malformed)
  }

  @Test func walksStructures() {
    let result = walk([0x02, 0x01, 0x06, 0x03, 0x03, 0x04, 0x18, 0x01, 0xFF])
    #expect(
      result.structures == [
        ADStructure(type: 0x01, offset: 2, count: 1), ADStructure(type: 0x03, offset: 5, count: 2),
        ADStructure(type: 0xFF, offset: 9, count: 0),
      ])
    #expect(!result.malformed)
  }

  @Test func endsAtAZeroLength() {
    let result = walk([0x02, 0x01, 0x06, 0x00, 0x55, 0x55])
    #expect(result.structures.count == 1)
    #expect(!result.malformed)
  }

  @Test(arguments: [[0x05, 0x09, 0x41], [0x01], [0xFF]] as [[UInt8]])
  func keepsWhatCameBeforeAnOverrun(_ rest: [UInt8]) {
    let result = walk([0x02, 0x01, 0x06] + rest)
    #expect(result.structures == [ADStructure(type: 0x01, offset: 2, count: 1)])
    #expect(result.malformed)
  }

  @Test func emptyDataIsFine() {
    #expect(walk([]).structures.isEmpty)
    #expect(!walk([]).malformed)
  }
}
