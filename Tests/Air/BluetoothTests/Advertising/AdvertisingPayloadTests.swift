import Testing

@testable import Bluetooth

@Suite struct AdvertisingPayloadTests {
  @Test(arguments: [0, 1, 30, 31, 32, 229, 1650])
  func holdsAnyNumberOfBytes(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let payload = AdvertisingPayload(bytes)
    #expect(payload.count == count)
    #expect(payload.bytes == bytes)
    payload.withBytes { span in
      #expect(span.count == count)
      for index in 0..<count { #expect(span[index] == bytes[index]) }
    }
    #expect((payload.words == nil) == (count > 31))
  }

  @Test func copiesOnlyWhatIsThere() {
    let bytes: [UInt8] = [1, 2, 3]
    #expect(AdvertisingPayload(copying: bytes.span, from: 1, count: 9).bytes == [2, 3])
    #expect(AdvertisingPayload(copying: bytes.span, from: 7, count: 2).bytes == [])
    #expect(AdvertisingPayload(copying: bytes.span, from: -1, count: -1).bytes == [])
  }

  @Test func equalsByContent() {
    #expect(AdvertisingPayload([1, 2]) == AdvertisingPayload([1, 2]))
    #expect(AdvertisingPayload([1, 2]) != AdvertisingPayload([1, 2, 0]))
    #expect(AdvertisingPayload([1, 2]) != AdvertisingPayload([1, 3]))
  }

  @Test func wordsAreZeroBehindTheData() throws {
    let words = try #require(AdvertisingPayload([0x11, 0x22]).words)
    #expect(words[0] == 0x2211)
    #expect(words[1] == 0 && words[2] == 0 && words[3] == 0)
  }
}
