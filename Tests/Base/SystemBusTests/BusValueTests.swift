import CDBus
import Testing

@testable import SystemBus

@Suite struct BusValueTests {
  /// What comes out of a message into which `values` were written; nil when they do not fit.
  private func throughAMessage(_ values: [BusValue]) throws -> [BusValue]? {
    let message = try #require(dbus_message_new_method_call("a.b", "/", "a.b", "C"))
    defer { dbus_message_unref(message) }
    guard BusWriter.append(values, to: message) else { return nil }
    return BusReader.arguments(of: message)
  }

  private static let samples: [(BusValue, String)] = [
    (.byte(0xFF), "y"), (.bool(true), "b"), (.bool(false), "b"), (.int16(-127), "n"),
    (.uint16(0xFFFF), "q"), (.int32(.min), "i"), (.uint32(.max), "u"), (.int64(.min), "x"),
    (.uint64(.max), "t"), (.double(-0.5), "d"), (.string("Ünïcödé"), "s"), (.string(""), "s"),
    (.objectPath("/org/bluez/hci0"), "o"), (.signature("a{sv}"), "g"), (.bytes([]), "ay"),
    (.bytes([0, 1, 255]), "ay"), (.array([.uint16(1), .uint16(2)]), "aq"),
    (.array([.array([.string("x")]), .array([.string("y")])]), "aas"),
    (.structure([.byte(1), .string("a")]), "(ys)"),
    (.properties(["Transport": .string("le"), "RSSI": .int16(-127)]), "a{sv}"),
    (.dictionary([.init(.uint16(76), .variant(.bytes([2, 21])))]), "a{qv}"),
    (.variant(.variant(.bool(true))), "v"),
  ]

  @Test(arguments: samples)
  func comesBackAsItWent(_ value: BusValue, _ signature: String) throws {
    #expect(value.typeSignature == signature)
    #expect(try throughAMessage([value, .string("end")]) == [value, .string("end")])
  }

  @Test func sendsEmptyContainersWithTheUsualTypes() throws {
    #expect(try throughAMessage([.dictionary([]), .array([])]) == [.dictionary([]), .array([])])
    #expect(BusValue.dictionary([]).typeSignature == "a{sv}")
    #expect(BusValue.array([]).typeSignature == "as")
  }

  @Test(
    arguments: [
      .string("a\0b"), .objectPath("no path"), .objectPath(""), .signature("{"),
      .array([.byte(1), .string("a")]),
      .dictionary([.init(.string("a"), .byte(1)), .init(.string("b"), .bool(true))]),
      .variant(.array([.bool(true), .array([.objectPath("")])])),
    ] as [BusValue])
  func refusesWhatDoesNotFit(_ value: BusValue) throws {
    #expect(try throughAMessage([value]) == nil)
  }

  @Test func looksThroughVariants() {
    let value = BusValue.variant(.properties(["A": .uint16(7), "B": .bytes([1])]))
    #expect(value["A"]?.integer == 7)
    #expect(value["B"]?.byteArray == [1])
    #expect(value["C"] == nil)
    #expect(value.text == nil)
    #expect(BusValue.variant(.uint64(.max)).integer == nil)
  }
}
