import LunaCrypto

let secret = try SecureRandom.secret(count: 32)
print(secret, secret.count == 32)
