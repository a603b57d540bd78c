import Bluetooth

actor ControllerClient {
  func opened(_ session: ControllerSession) {}
  func closed(_ session: ControllerSession) {}
}
