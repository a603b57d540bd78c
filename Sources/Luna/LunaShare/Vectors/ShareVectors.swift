import Bluetooth
import LunaCore
import LunaCrypto
public import LunaJSON
import LunaProtocol

/// The formats of shares as functions of JSON, for test vectors (SHARING.md, 2; PROTOCOL.md, 18).
public enum ShareVectors {
  /// A function: its answer, or the name of the member that it lacks or cannot read.
  public typealias Function = @Sendable (JSONObject) throws(FormatError) -> JSONValue

  /// The functions by the names of their groups.
  public static let functions: [String: Function] = [
    "share-record": { (input) throws(FormatError) in try record(input) },
    "share-envelope": { (input) throws(FormatError) in try envelope(input) },
    "share-open": { (input) throws(FormatError) in try open(input) },
    "contact-card": { (input) throws(FormatError) in try card(input) },
  ]

  private static func record(_ input: JSONObject) throws(FormatError) -> JSONValue {
    let members = try JSONMembers(.object(input), name: "in")
    guard let masterKey = MasterKey(try members.string("mk")) else {
      throw FormatError("mk", "is no key")
    }
    let period = UInt32(clamping: try members.integer("n", in: 0...Int64(UInt32.max)))
    let words = try members.array("rights")
    var rights = ShareRights(status: words.contains(.string("status")))
    if words.contains(.string("ring")) {
      rights.ring = RingRight(
        seconds: Int(try members.integer("ringSeconds", in: 1...60)),
        perPeriod: Int(try members.integer("ringsPerPeriod", in: 1...8)))
    }
    do {
      let shared = try SharedPeriods(
        of: masterKey, periods: PeriodRange(first: period, last: period), rights: rights, until: 0)
      return ["record": .string(shared.records.withBytes { Hex.lower($0) })]
    } catch {
      return ["reject": .string((error as? ShareError)?.kind.rawValue ?? "crypto")]
    }
  }

  private static func envelope(_ input: JSONObject) throws(FormatError) -> JSONValue {
    let recipient = try secret("recipientPrivate", input)
    let sender = try secret("senderPrivate", input)
    let ephemeral = try secret("ephemeralPrivate", input)
    let plaintext = try bytes("plaintext", input)
    do throws(CryptoError) {
      let envelope = try ShareEnvelope.seal(
        plaintext.span, to: ContactKey(of: recipient), from: sender, ephemeral: ephemeral)
      return ["envelope": .string(Hex.lower(envelope.span))]
    } catch {
      return ["reject": .string(error.kind.rawValue)]
    }
  }

  private static func open(_ input: JSONObject) throws(FormatError) -> JSONValue {
    let recipient = try secret("recipientPrivate", input)
    guard let sender = ContactKey(try bytes("senderPublic", input)) else {
      throw FormatError("senderPublic", "is no key")
    }
    let envelope = try bytes("envelope", input)
    do throws(ShareRejection) {
      let (_, plaintext) = try ShareEnvelope.open(envelope, to: recipient, from: [sender])
      return ["plaintext": .string(plaintext.withBytes { Hex.lower($0) })]
    } catch {
      return ["reject": .string(error.rawValue)]
    }
  }

  private static func card(_ input: JSONObject) throws(FormatError) -> JSONValue {
    let key = try secret("private", input)
    let name = try JSONMembers(.object(input), name: "in").string("name")
    do throws(CryptoError) {
      let key = try ContactKey(of: key)
      guard let card = ContactCard(key: key, name: name) else { return ["reject": "name"] }
      let bytes = card.bytes
      return [
        "card": .string(Hex.lower(bytes.span)), "text": .string(card.text),
        "code": .string(try key.code()),
      ]
    } catch {
      return ["reject": .string(error.kind.rawValue)]
    }
  }

  private static func bytes(
    _ name: String, _ input: JSONObject
  ) throws(FormatError) -> [UInt8] {
    guard case .string(let text)? = input[name], let bytes = Hex.bytes(text) else {
      throw FormatError(name, "is not hexadecimal")
    }
    return bytes
  }

  private static func secret(
    _ name: String, _ input: JSONObject
  ) throws(FormatError) -> SecretBytes {
    let bytes = try bytes(name, input)
    return SecretBytes(copying: bytes.span)
  }
}
