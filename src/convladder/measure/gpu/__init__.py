"""Measuring on a GPU: methods and cuDNN on the same layer, in the same minutes, in paired rounds."""
