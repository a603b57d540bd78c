/// Somebody whom an issuer of others knows; never by a name or an address of mail, which can change hands.
struct ForeignSubject: Hashable, Sendable {
  let issuer: String
  let subject: String
}
