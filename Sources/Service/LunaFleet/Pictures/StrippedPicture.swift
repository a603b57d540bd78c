/// What is left of a file.
struct StrippedPicture {
  let width: Int
  let height: Int
  let bytes: [UInt8]
}
