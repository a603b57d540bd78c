import JSONWebToken
import LunaCrypto
import Testing

/// Signatures of the RFCs, whose contents are not always claims.
@Suite("Vectors of the RFCs for signatures")
struct VectorTests {
  private static let claims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
  /// RFC 7515, A.2.
  private static let rsa =
    #"{"kty":"RSA","n":"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ","e":"AQAB"}"#
  /// RFC 7515, A.3.
  private static let curve =
    #"{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#
  /// RFC 8037, A.2.
  private static let edwards =
    #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#

  private static func key(_ text: String) throws -> VerificationKey {
    try #require(try WebKeySet(Array("{\"keys\":[\(text)]}".utf8)).keys.first).key
  }

  private static func bytes(_ text: String) throws -> [UInt8] {
    try #require(Base64URL.decode(text.utf8))
  }

  @Test(
    "RFC 7515, A.2 and A.3, and RFC 8037, A.4",
    arguments: [
      (
        rsa, "eyJhbGciOiJSUzI1NiJ9.\(claims)",
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
      ),
      (
        curve, "eyJhbGciOiJFUzI1NiJ9.\(claims)",
        "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
      ),
      (
        edwards, "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc",
        "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
      ),
    ])
  func vectors(_ key: String, _ message: String, _ signature: String) throws {
    let key = try VectorTests.key(key)
    var (message, signature) = (Array(message.utf8), try VectorTests.bytes(signature))
    #expect(try key.isSignature(signature.span, of: message.span))
    message[30] ^= 1
    #expect(try !key.isSignature(signature.span, of: message.span))
    message[30] ^= 1
    for index in stride(from: 0, to: signature.count, by: 7) {
      signature[index] ^= 1
      #expect(try !key.isSignature(signature.span, of: message.span))
      signature[index] ^= 1
    }
    for wrong in [[], [0], Array(signature.dropLast()), signature + [0]] {
      #expect(try !key.isSignature(wrong.span, of: message.span))
    }
  }

  @Test("The whole token of RFC 7515, A.3")
  func token() throws {
    let set = try WebKeySet(Array("{\"keys\":[\(VectorTests.curve)]}".utf8))
    let token = try WebToken(
      Array(
        "eyJhbGciOiJFUzI1NiJ9.\(VectorTests.claims).DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
          .utf8))
    #expect(set.signed(token))
    #expect(token.claims.issuer == "joe")
    #expect(token.claims.expiresAt == 1_300_819_380)
  }

  @Test("R or S of zero, or as large as the group, is no signature (CVE-2022-21449)")
  func zero() throws {
    let key = try VectorTests.key(VectorTests.curve)
    let message = Array("eyJhbGciOiJFUzI1NiJ9.e30".utf8)
    for byte: UInt8 in [0, 0xFF] {
      let signature = [UInt8](repeating: byte, count: 64)
      #expect(try !key.isSignature(signature.span, of: message.span))
    }
  }
}
