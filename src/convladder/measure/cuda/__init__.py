"""Measuring on a GPU: methods and cuDNN on the same layer, in paired rounds."""
