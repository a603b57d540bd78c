import MQTT

print(try MQTTAddress("mqtt://localhost").port)
