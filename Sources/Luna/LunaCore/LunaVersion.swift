/// Which version of Luna this is.
package enum LunaVersion {
  package static let text = "0.2.0"
}
