import itertools

from convladder.teach.plots.counting_cost import VGG16


def test_vgg16_has_the_published_number_of_parameters():
    weights = [p.params + p.k_c for p in VGG16.values()]
    assert len(weights) == 16
    assert sum(weights) == 138_357_544


def test_each_layer_fits_the_one_before():
    layers = list(VGG16.values())
    for before, after in itertools.pairwise(layers):
        assert after.i_c == before.k_c
        assert before.o_h in (after.i_h, 2 * after.i_h)
