import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaTesting
import Testing

/// Files with the keys of home-made tags, which never change.
struct FixedKeyImportTests {
  // Made with the package cryptography of Python, as the programs make them.
  private static let hexadecimal = "afc4ebef12c7c96c90df0817ff2fb69f3abad1739ef32f8122fb533c"
  private static let base64 = "r8Tr7xLHyWyQ3wgX/y+2nzq60XOe8y+BIvtTPA=="
  private static let otherBase64 = "CGSJdUmAXkt0ua8gLfxauIdePCIt+hLX8IvDfA=="

  private static let uuid = "00000000-0000-4000-8000-000000000001"

  private static func read(_ text: String) throws -> [Device] {
    try ImportFile.devices(Array(text.utf8))
  }

  /// `KeyPair.to_json` of FindMy.py.
  private static func keyPair(_ key: String = base64, name: String = "null") -> String {
    #"{"type": "keypair", "private_key": "\#(key)", "key_type": 0, "name": \#(name)}"#
  }

  /// A tag in `NAME_devices.json` of macless-haystack.
  private static func haystack(
    _ key: String = base64, name: String = "Bike", more: String = #","additionalKeys": []"#
  ) -> String {
    #"{"id": 4711, "colorComponents": [0, 1, 0, 1], "name": "\#(name)", "privateKey": "\#(key)","#
      + #""icon": "", "isDeployed": true, "colorSpaceName": "kCGColorSpaceExtendedSRGB","#
      + #""usesDerivation": false, "isActive": false\#(more)}"#
  }

  /// `NAME.keys` of OpenHaystack and macless-haystack.
  private static func keyFile(_ key: String = base64) -> String {
    """
    Private key: \(key)
    Advertisement key: d0h1wQyNp/oLI6xUr6lO+JE/SLhuDV1WJmEUww==
    Hashed adv key: e0KZ3gmu+FnlOa5hAAMFBTJf/CmfN06a0AY3GZcItxU=

    """
  }

  static let forms: [(String, String?)] = [
    (keyPair(), nil), (keyPair(name: #""Bag""#), "Bag"), (keyPair(hexadecimal), nil),
    ("[" + keyPair() + "]", nil), (#"{"private_key": "\#(base64)"}"#, nil),
    ("[" + haystack() + "]", "Bike"), ("[" + haystack(more: "") + "]", "Bike"),
    ("[" + haystack(more: #","additionalKeys": null"#) + "]", "Bike"), (keyFile(), nil),
    (keyFile().replacing("\n", with: "\r\n"), nil), ("\u{FEFF}" + keyFile(), nil),
    ("Private key: \(base64)", nil),
    (ImportTests.entries(entry(hexadecimal)), "Key ring"),
  ]

  private static func entry(_ key: String) -> String {
    #"{"kind":"apple-find-my-key","privateKey":"\#(key)","name":"Key ring"}"#
  }

  @Test(arguments: forms) func readsTags(text: String, name: String?) throws {
    let devices = try Self.read(text)
    let device = try #require(devices.first)
    let bytes = try #require(Hex.bytes(Self.hexadecimal))
    let key = try #require(FindMyKey(SecretBytes(copying: bytes.span)))
    #expect(devices.count == 1)
    #expect(device.keys == .appleFindMyKey(key))
    #expect(device.name == name ?? device.uuid.description)
    #expect(device.onboardingTimestamp == Timestamp(microseconds: 0))
    // Whatever form it came in, it is the same device.
    #expect(try device.uuid == DeviceFile.fingerprint(device.keys))
  }

  @Test func readsSeveralTags() throws {
    let tags = "[" + Self.haystack() + "," + Self.haystack(Self.otherBase64, name: "Bag") + "]"
    #expect(try Self.read(tags).map(\.name) == ["Bike", "Bag"])
    let mixed = "[" + Samples.findMy() + "," + Self.keyPair() + "]"
    #expect(try Self.read(mixed).map(\.keys.kind) == [.appleFindMy, .appleFindMyKey])
  }

  @Test func readsWhatItWrites() throws {
    let devices = try Self.read(Self.keyPair(name: #""Bag""#))
    let text = DeviceFile.encode(devices)
    #expect(text.contains(#""kind":"apple-find-my-key""#))
    #expect(text.contains(#""privateKey":"\#(Self.hexadecimal)""#))
    #expect(try Self.read(text) == devices)
  }

  static let wrongFiles: [(String, String?, String)] = [
    (keyPair("!"), "entry 1", "private_key is neither base64 nor hexadecimal"),
    (keyPair(String(hexadecimal.dropLast(2))), "entry 1", "neither base64 nor hexadecimal"),
    (keyPair(String(repeating: "A", count: 36)), "entry 1", "private_key has 27 bytes, not 28"),
    (keyPair(String(repeating: "A", count: 40)), "entry 1", "private_key has 30 bytes, not 28"),
    (keyPair(String(repeating: "0", count: 56)), "entry 1", "is no private key of P-224"),
    (keyPair(String(repeating: "f", count: 56)), "entry 1", "is no private key of P-224"),
    (#"{"type":"keypair","private_key":5}"#, "entry 1", "private_key is not a text"),
    (#"{"type":"keypair","name":"x"}"#, "entry 1 (x)", "private_key is missing"),
    ("[" + keyPair() + "," + keyPair() + "]", "entry 2", "has the uuid of entry 1"),
    (
      "[" + keyPair() + "," + keyPair(name: #""x", "identifier": "\#(uuid)""#) + "]",
      "entry 2 (x)", "same key as entry 1"
    ),
    ("[" + haystack("!") + "]", "entry 1 (Bike)", "privateKey is neither base64"),
    (
      "[" + haystack(more: #","additionalKeys": ["\#(otherBase64)"]"#) + "]", "entry 1 (Bike)",
      "it changes between 2 keys (additionalKeys)"
    ),
    (
      "[" + haystack(more: #","additionalKeys": 1"#) + "]", "entry 1 (Bike)",
      "additionalKeys is not a list"
    ),
    (
      #"[{"name":"Bike","privateKey":"\#(base64)","usesDerivation":true}]"#, "entry 1 (Bike)",
      "derives new keys (usesDerivation)"
    ),
    ("[" + haystack() + "," + haystack() + "]", "entry 2 (Bike)", "has the uuid of entry 1"),
    (keyFile("!"), nil, "the private key is neither base64 nor hexadecimal"),
    (keyFile("AAAA"), nil, "the private key has 3 bytes, not 28"),
    (keyFile() + keyFile(otherBase64), nil, "it has 2 private keys"),
    ("Advertisement key: \(base64)\n", nil, "nor a file of keys"),
    (ImportTests.entries(entry("00")), "entry 1 (Key ring)", "privateKey has 1 bytes, not 28"),
    (
      ImportTests.entries(entry(String(repeating: "0", count: 56))), "entry 1 (Key ring)",
      "its keys are not valid"
    ),
  ]

  @Test(arguments: wrongFiles)
  func namesWhatIsWrong(text: String, entry: String?, problem: String) {
    let error = #expect(throws: DeviceFileError.self) { try Self.read(text) }
    #expect(error?.reason.contains(problem) == true, "\(String(describing: error))")
    if let label = error?.entry { #expect(label.hasPrefix(entry ?? "no entry")) }
    #expect((error?.entry == nil) == (entry == nil))
    for key in [Self.base64, Self.otherBase64, Self.hexadecimal] {
      #expect(error?.description.contains(key) != true)
    }
  }

  @Test func refusesEveryBeginning() {
    for text in [Self.keyPair(), "[" + Self.haystack() + "]", "Private key: \(Self.base64)"] {
      for count in 0..<text.utf8.count {
        #expect(throws: DeviceFileError.self) {
          try ImportFile.devices(Array(text.utf8.prefix(count)))
        }
      }
    }
  }

  @Test func takesNoAlignment() {
    let error = #expect(throws: DeviceFileError.self) {
      try ImportFile.devices(
        Array(Self.keyFile().utf8), alignment: Array(Samples.alignment().utf8))
    }
    #expect(error?.reason.contains("belongs to an accessory record") == true)
  }
}
