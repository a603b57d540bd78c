import Diagnosis

print(Diagnosis("the lamp is dark", during: "look", remedy: "change it"))
