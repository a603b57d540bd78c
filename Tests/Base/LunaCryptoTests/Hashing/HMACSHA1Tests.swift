import LunaCrypto
import Testing

/// RFC 2202, 3.
struct HMACSHA1Tests {
  @Test(arguments: [
    (
      String(repeating: "0b", count: 20), "4869205468657265",
      "b617318655057264e28bc0b6fb378c8ef146be00"
    ),
    (
      "4a656665", "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
      "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
    ),
    (
      String(repeating: "aa", count: 80),
      "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368"
        + "204b6579204669727374", "aa4ae5e15272d00e95705637ce8a3b55ed402112"
    ), ("", "", "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
  ])
  func publishedVectors(key: String, message: String, expected: String) throws {
    let (key, message) = (hex(key), hex(message))
    #expect(try HMACSHA1.code(for: message.span, key: key.span) == hex(expected))
  }
}
