{{/* What all containers of a pod have. */}}
{{- define "tempest.image" -}}
image: {{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "tempest.live" -}}
{{- if eq .Values.probes "http" -}}
httpGet: {path: /health/live, port: http}
{{- else -}}
tcpSocket: {port: tempest-tcp}
{{- end }}
{{- end }}

{{- define "tempest.ready" -}}
{{- if eq .Values.probes "http" -}}
httpGet: {path: /health/ready, port: http}
{{- else -}}
tcpSocket: {port: tempest-tcp}
{{- end }}
{{- end }}
