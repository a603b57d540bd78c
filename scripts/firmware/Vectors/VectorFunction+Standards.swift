import LunaCrypto

/// What the protocol is made of, by the published vectors.
extension VectorFunction {
  static func answerHkdf(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let (key, salt) = (try fields.bytes(), try fields.bytes())
    let info = try fields.bytes()
    let count = Int(truncatingIfNeeded: try fields.number())
    let prk = try crypto { () throws(CryptoError) in
      try HKDFSHA256.extract(salt: salt.span, inputKey: key.span)
    }
    let output = try crypto { () throws(CryptoError) in
      try HKDFSHA256.expand(prk, info: info.span, count: count)
    }
    var answer = VectorAnswer()
    answer.put(secret: prk)
    answer.put(secret: output)
    return answer
  }

  static func answerHmac(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let (key, data) = (try fields.bytes(), try fields.bytes())
    var hmac = try crypto { () throws(CryptoError) in try HMACSHA256(key: key.span) }
    var answer = VectorAnswer()
    answer.put(hmac.code(for: data.span).span)
    return answer
  }

  static func answerAes(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let key = try fields.bytes()
    let nonce: InlineArray<12, UInt8> = try fields.array()
    let (plaintext, data) = (try fields.bytes(), try fields.bytes())
    var cipher = try crypto { () throws(CryptoError) in try AES256GCM(key: key.span) }
    var sealed = [UInt8](repeating: 0, count: plaintext.count + AES256GCM.tagCount)
    var output = sealed.mutableSpan
    cipher.seal(plaintext.span, nonce: nonce, associatedData: data.span, into: &output)
    var answer = VectorAnswer()
    answer.put(sealed.span.extracting(first: plaintext.count))
    answer.put(sealed.span.extracting(last: AES256GCM.tagCount))
    return answer
  }

  static func answerX25519(_ fields: inout VectorFields) throws(VectorFault) -> VectorAnswer {
    let privateKey = try fields.secret()
    let peer = try fields.bytes()
    let publicKey = try crypto { () throws(CryptoError) in try X25519.publicKey(of: privateKey) }
    let shared = try crypto { () throws(CryptoError) in
      try X25519.sharedSecret(privateKey: privateKey, peer: peer.span)
    }
    var answer = VectorAnswer()
    answer.put(publicKey.span)
    answer.put(secret: shared)
    return answer
  }
}
