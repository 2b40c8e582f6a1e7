"""What every process needs: settings, identity, errors, metrics, logs, a server that drains, channels to others."""
