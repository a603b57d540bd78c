import JSONWebToken
import LunaCrypto
import LunaHome
import LunaJSON
import Testing

@testable import LunaNotify

@Suite struct WebPushTests {
  private static func bytes(_ text: String) throws -> [UInt8] {
    try #require(Base64URL.decode(text.utf8))
  }

  /// The example of RFC 8291, 5 and appendix A.
  @Test func sealsTheExample() throws {
    let browser = PushSubscription(
      endpoint: "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
      key: try Self.bytes(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
      auth: try Self.bytes("BTBZMqHH6r4Tts7J_aSIgg"))
    let scalar = try Self.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    let sender = try P256PrivateKey(scalar: SecretBytes(copying: scalar.span))
    let sealed = try WebPush.seal(
      Array("When I grow up, I want to be a watermelon".utf8), for: browser, sender: sender,
      salt: try Self.bytes("DGv6ra1nlYgDCS1FRnbzlw"))
    #expect(
      String(decoding: Base64URL.encode(sealed), as: UTF8.self)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        + "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        + "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")
  }

  @Test func longestFillsWhatAServiceTakes() throws {
    let key = try P256PrivateKey()
    let browser = PushSubscription(
      endpoint: "https://a", key: key.publicKey, auth: [UInt8](repeating: 1, count: 16))
    let sealed = try WebPush.seal(
      [UInt8](repeating: 7, count: WebPush.longest), for: browser, sender: try P256PrivateKey(),
      salt: [UInt8](repeating: 2, count: 16))
    #expect(sealed.count == 4096)
  }

  @Test func isKnownByAToken() throws {
    let key = try P256PrivateKey()
    let text = try PushIdentity(key).authorization(
      for: "https://push.example.net", subject: "https://home.example", at: 1_000)
    let parts = text.split { $0 == " " || $0 == "," }
    #expect(parts.first == "vapid" && parts.count == 3)
    let token = parts[1].dropFirst(2)
    #expect(parts[2] == "k=\(PushIdentity(key).publicKey)")
    let pieces = token.split(separator: ".")
    #expect(
      String(decoding: try Self.bytes(String(pieces[1])), as: UTF8.self)
        == #"{"aud":"https://push.example.net","exp":44200,"sub":"https://home.example"}"#)
    let point = key.publicKey
    let verifier = try VerificationKey(
      x: Array(point[1...32]).span, y: Array(point[33...]).span)
    let signature = try Self.bytes(String(pieces[2]))
    let message = Array("\(pieces[0]).\(pieces[1])".utf8)
    #expect(try verifier.isSignature(signature.span, of: message.span))
    #expect(try !verifier.isSignature(signature.span, of: Array("x".utf8).span))
    // Numbers with zeros in front keep their length.
    for _ in 0..<600 { #expect(try key.signature(of: message.span).count == 64) }
  }

  @Test(arguments: [
    #"{"endpoint":"http://push.example/x","keys":{"p256dh":"K","auth":"A"}}"#,
    #"{"endpoint":"https://u:p@push.example/x","keys":{"p256dh":"K","auth":"A"}}"#,
    #"{"endpoint":"file:///etc/passwd","keys":{"p256dh":"K","auth":"A"}}"#,
    #"{"endpoint":"https://push.example/x","keys":{"p256dh":"AAAA","auth":"A"}}"#,
    #"{"endpoint":"https://push.example/x","keys":{"p256dh":"K","auth":"AAAA"}}"#,
    #"{"endpoint":"https://push.example/x","keys":{"p256dh":"K"}}"#,
    #"{"endpoint":"https://push.example/x"}"#, #"{"keys":{"p256dh":"K","auth":"A"}}"#,
  ])
  func refusesWhatIsNoBrowser(text: String) throws {
    #expect(throws: FormatError.self) { try Self.subscription(text) }
  }

  @Test(arguments: [
    ("https://push.example:8443/a?y=z", "https://push.example:8443"),
    ("http://127.0.0.1:5000/a", "http://127.0.0.1:5000"),
  ])
  func takesABrowser(url: String, origin: String) throws {
    let one = try Self.subscription(
      #"{"endpoint":"\#(url)","keys":{"p256dh":"K","auth":"A"},"expirationTime":null}"#)
    #expect(one.endpoint == url && one.origin == origin)
  }

  private static let key = try? P256PrivateKey().publicKey

  private static func subscription(_ text: String) throws -> PushSubscription {
    let key = String(decoding: Base64URL.encode(try #require(key)), as: UTF8.self)
    let auth = String(decoding: Base64URL.encode([UInt8](0..<16)), as: UTF8.self)
    let whole = text.replacing("\"K\"", with: "\"\(key)\"").replacing("\"A\"", with: "\"\(auth)\"")
    return try PushSubscription(
      json: JSONMembers(try JSONReader.read(Array(whole.utf8)), name: "the body"))
  }
}
