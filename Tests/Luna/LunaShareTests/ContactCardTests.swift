import LunaShare
import Testing

struct ContactCardTests {
  @Test func cardsComeBack() throws {
    let key = try Samples.key(Samples.ben)
    for name in ["B", "Ben", "李小龍", String(repeating: "é", count: 32)] {
      let card = try #require(ContactCard(key: key, name: name))
      #expect(try ContactCard(bytes: card.bytes) == card)
      #expect(try ContactCard(text: card.text) == card)
      #expect(try ContactCard(text: " \n\(card.text)\r\n") == card)
    }
    #expect(ContactCard(key: key, name: "") == nil)
    #expect(ContactCard(key: key, name: String(repeating: "é", count: 33)) == nil)
  }

  private func rejection(_ bytes: [UInt8]) -> CardRejection? {
    do throws(CardRejection) { _ = try ContactCard(bytes: bytes) } catch { return error }
    return nil
  }

  private func rejection(_ text: String) -> CardRejection? {
    do throws(CardRejection) { _ = try ContactCard(text: text) } catch { return error }
    return nil
  }

  @Test func othersAreRefused() throws {
    let card = try #require(ContactCard(key: Samples.key(Samples.ben), name: "Ben"))
    for count in 0..<card.bytes.count {
      #expect(rejection(Array(card.bytes.prefix(count))) == .length)
    }
    #expect(rejection(card.bytes + [0]) == .length)
    #expect(rejection([2] + card.bytes.dropFirst()) == .version)
    #expect(rejection(Array(card.bytes.dropLast()) + [0xFF]) == .name)
    #expect(rejection([1] + card.key.bytes + [0]) == .length)
    #expect(rejection("LUNACARD:2:AQ") == .prefix)
    #expect(rejection("") == .prefix)
    #expect(rejection("LUNACARD:1:AQ==") == .text)
    #expect(rejection(card.text + "!") == .text)
    #expect(rejection("LUNACARD:1:" + String(repeating: "A", count: 4000)) == .length)
    for index in card.bytes.indices {
      var changed = card.bytes
      changed[index] ^= 0x81
      // Another key or name, or none.
      #expect((try? ContactCard(bytes: changed)) != card)
    }
  }
}
