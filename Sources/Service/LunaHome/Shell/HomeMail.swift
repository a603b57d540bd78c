/// A file, or something that is for them alone, that somebody gets by mail, who need be no contact of the home's file.
package struct HomeMail: Sendable {
  /// Names it: what has the same name goes out once.
  package let id: String
  /// When it was made, µs since 1970.
  package let time: Int64
  /// What the person is called.
  package let person: String
  /// Where it goes.
  package let address: String
  /// What it is about, in a few words.
  package let subject: String
  /// What is said beside the file.
  package let text: String
  /// What the file is called: ASCII letters and digits, `-` and `.`; empty where it is a text that ends the mail, and
  /// that nobody else sees.
  package let fileName: String
  /// The file, or that text.
  package let file: [UInt8]

  package init(
    id: String, time: Int64, person: String, address: String, subject: String, text: String,
    fileName: String, file: [UInt8]
  ) {
    self.id = id
    self.time = time
    self.person = person
    self.address = address
    self.subject = subject
    self.text = text
    self.fileName = fileName
    self.file = file
  }

  /// A name for a file, of whatever names are.
  package static func fileName(_ text: String) -> String {
    let name = String(
      text.unicodeScalars.prefix(120).map { scalar -> Character in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": Character(scalar)
        default: "-"
        }
      })
    // What begins with a hyphen is an option where it is typed.
    let rest = name.drop { $0 == "-" }
    return rest.isEmpty ? "share" : String(rest)
  }
}
