import Bluetooth
public import LunaCrypto

/// What somebody agrees to before anything is sent (UPLINK.md, 3).
public enum ConsentText {
  /// Its version; another one asks again.
  public static let version = 2

  /// The text, a paragraph each.
  public static let paragraphs = [
    "The uplink check compares how a network treats Luna's traffic with how it treats other traffic.",
    "What is sent: made-up events and random bytes. No position, name of a network, identity of a device "
      + "or full address is among them.",
    "How much: at most 100 MB in a check, and 20 MB on a metered link, both ways together; as much again "
      + "where a result is to be confirmed; 1 GB in a month, 60 MB on metered links. Each limit can be set.",
    "To whom: to the backend, to servers that you name, or to those that one of them or your locate service "
      + "names, and to nobody else. Like every server they see the address that you come from.",
    "What is kept: the results, on this machine, with the first part of your address; the newest thousand "
      + "for 400 days. Recordings are written where you say.",
    "What it may cost: traffic that your contract counts is counted.",
    "You can withdraw at any time: nothing is sent from then on, and schedules stop.",
  ]

  /// The SHA-256 of the paragraphs with a line break after each, in hexadecimal digits.
  ///
  /// - Throws: when libcrypto does not offer SHA-256.
  public static func hash() throws(CryptoError) -> String {
    let bytes = Array(paragraphs.map { $0 + "\n" }.joined().utf8)
    let digest = try SHA256.digest(of: bytes.span)
    return Hex.lower(digest.indices.map { digest[$0] })
  }
}
