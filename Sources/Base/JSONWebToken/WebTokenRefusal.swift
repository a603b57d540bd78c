/// Why a token that can be read is not taken.
package enum WebTokenRefusal: String, Error {
  case issuer = "it is of another issuer"
  case expired = "it has expired"
  case early = "it does not hold yet"
  case endless = "it does not say when it expires"
  case audience = "it is for something else"
  case type = "it is neither an access token nor an ID token"
  case subject = "it does not say whose it is"
  case client = "it was given to another program"
  case nonce = "it belongs to another sign-in"
  case undated = "it does not say when it was made"
  case inactive = "its issuer does not know it, or has ended it"
}
