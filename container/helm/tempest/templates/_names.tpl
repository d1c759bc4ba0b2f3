{{/* All that belongs to the release begins with its name. A name of a pod has a number at its end, and 63 characters. */}}
{{- define "tempest.name" -}}
{{- if gt (len .Release.Name) 50 }}{{ fail "the name of the release has more than 50 characters" }}{{ end -}}
{{- if not (regexMatch "^[a-z][-a-z0-9]*$" .Release.Name) }}
{{- fail "the name of the release is that of services in this chart: let it begin with a letter, and have no dots" }}
{{- end -}}
{{- .Release.Name -}}
{{- end }}

{{/* The service by which servers find each other. */}}
{{- define "tempest.servers" -}}
{{ include "tempest.name" . }}-servers.{{ .Release.Namespace }}.svc.{{ .Values.clusterDomain }}
{{- end }}

{{- define "tempest.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tempest.labels" -}}
{{ include "tempest.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* tempest.yaml, the same in all pods. */}}
{{- define "tempest.config" -}}
cluster: {{ .Values.cluster | default .Release.Name | quote }}
listen: private:7400
multicast: "off"
loopback: "off"
{{- if eq .Values.discovery "members" }}
members:
{{- range $index := until (int .Values.replicas) }}
  - {{ include "tempest.name" $ }}-{{ $index }}.{{ include "tempest.servers" $ }}:7400
{{- end }}
{{- else }}
dns: {{ include "tempest.servers" . }}
{{- end }}
{{- if .Values.checkpoints.enabled }}
checkpoint-folder: /data/checkpoints
{{- end }}
{{- if eq .Values.probes "http" }}
{{- if not (hasKey .Values.config "http") }}
http: 0.0.0.0:8080
{{- else if not (hasSuffix ":8080" .Values.config.http) }}
{{- fail "config.http: the probes ask port 8080, so leave http out or let it end with :8080" }}
{{- end }}
{{- end }}
{{- with .Values.config }}
{{ toYaml . }}
{{- end }}
{{- end }}
